import type { RawRow } from './import-row.ts';

/** Whose a key or a team of LiteLLM is: a team's, otherwise a user's, or of no owner. */
export interface Owner {
  readonly field: 'team_id' | 'user_id' | null;
  /** The old id of the account. */
  readonly account: unknown;
}

const isGiven = (id: unknown): boolean => id !== undefined && id !== null && id !== '';

const ownerFields = ['team_id', 'user_id'] as const;

/** The account of what has no owner. */
const ownerless = 'default';

/** The owner as the export has it: what is no id is refused with its row. */
export const ownerOf = (fields: RawRow['fields']): Owner => {
  const field = ownerFields.find((name) => isGiven(fields[name])) ?? null;
  return { field, account: field === null ? ownerless : fields[field] };
};

const named = (field: Owner['field']): string => field ?? 'a key without team_id and user_id';

/** Takes the owner of each row of a file. */
export type ClaimAccount = (place: string, owner: Owner) => void;

/** Refuses a row where a team, a user or keys without an owner have one id in a file, as their accounts and credits would be one. */
export const accountClaims = (refused: string[]): ClaimAccount => {
  const firsts = new Map<string, { readonly place: string; readonly field: Owner['field'] }>();
  return (place, { field, account }) => {
    const id = String(account);
    const first = firsts.get(id);
    if (first === undefined) firsts.set(id, { place, field });
    else if (first.field !== field)
      refused.push(
        `${place}: the account '${id}' is that of ${named(field)}, and at ${first.place} that of ${named(first.field)}; ` +
          'give one of them another id in the file',
      );
  };
};
