import { isUuid } from '@tollgate/contract';
import { referredKeyId } from '@tollgate/engine/decisions';

/** Which imported key an old one stands for: one line of the file that `tollgate import --out` writes. */
export interface ImportedKeyLine {
  /** The account's id of the old gateway, for people. */
  readonly account: string;
  readonly accountId: string;
  readonly projectId: string;
  /** The SHA-256 of the old key, as 64 digits in lower case. */
  readonly reference: string;
  readonly keyId: string;
}

const members = ['account', 'accountId', 'projectId', 'reference', 'keyId'] as const;

/** Whether a reference is a SHA-256, by which the text of an old key is recognised. */
export const isKeyHash = (reference: string): boolean => /^[0-9a-f]{64}$/.test(reference);

/** The line of a key, without its end: JSON, in which no text can end a field or a line. */
export const importedKeyLine = (key: ImportedKeyLine): string =>
  JSON.stringify(Object.fromEntries(members.map((name) => [name, key[name]])));

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const textsOf = (text: string): Readonly<Record<(typeof members)[number], string>> | null => {
  const value = parsed(text);
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== members.length) return null;
  const given = new Map<string, unknown>(Object.entries(value));
  const texts = members.map((name) => [name, given.get(name)] as const);
  if (!texts.every(([, member]) => typeof member === 'string')) return null;
  const of = (name: (typeof members)[number]): string => String(given.get(name));
  return {
    account: of('account'),
    accountId: of('accountId'),
    projectId: of('projectId'),
    reference: of('reference'),
    keyId: of('keyId'),
  };
};

/** Reads one line; the text of a fault where it is not what the import writes. */
export const readImportedKeyLine = (text: string): ImportedKeyLine | string => {
  const line = textsOf(text);
  if (line === null) return `is no line of tollgate import --out; accepted is JSON with ${members.join(', ')}`;
  for (const name of ['accountId', 'projectId', 'keyId'] as const) if (!isUuid(line[name])) return `${name} is no uuid`;
  if (!isKeyHash(line.reference)) return 'reference is no SHA-256 in lower case';
  // The id of an imported key follows from its project and reference: a line that was put together by hand does not pass.
  if (line.keyId !== referredKeyId(line.projectId, line.reference))
    return 'keyId is not that of the projectId and the reference';
  return line;
};
