import type { RawRow, RowField } from './import-row.ts';

/** Members that name a record of the old gateway. */
const idFields = ['account', 'project', 'key'] as const;

/** What a terminal, a line of text or a list of fields takes for more than a letter, and halves of characters. */
const unprintable = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** The beginnings of the credentials of gateways and upstreams. */
const credential = /^(?:bearer\s|sk[-_])|^(?:(?:rk|pk|gsk|xai|pplx|hf|tg|key|api)[-_]|AIza|eyJ)[\w.-]{16,}$/i;

const faultOf = (name: (typeof idFields)[number], id: string): string | null => {
  if (unprintable.test(id)) return 'has a control character; accepted are characters that are printed';
  // Two ids that differ in blanks would be one record.
  if (id !== id.trim() && id.trim() !== '') return 'begins or ends with a blank';
  if (name === 'key' && credential.test(id))
    return 'looks like a key in clear, and would be stored and printed as one; use its SHA-256 in its place';
  return null;
};

/** JSON reads numbers beyond 2^53 as the nearest that it has: two accounts would be one. */
const numberFaultOf = (id: unknown): string | null =>
  typeof id === 'number' && !Number.isSafeInteger(id)
    ? `is a number that JSON does not carry exactly (${id}); accepted is a text, or a whole number up to ${Number.MAX_SAFE_INTEGER}`
    : null;

/** What is wrong with the ids of a row, whatever its other fields are; null where nothing is. A key is never shown in it. */
export const idFault = ({ fields }: RawRow): { readonly field: RowField; readonly fault: string } | null => {
  for (const name of idFields) {
    const id = fields[name];
    const fault = typeof id === 'string' ? faultOf(name, id) : numberFaultOf(id);
    if (fault !== null) return { field: name, fault };
  }
  return null;
};
