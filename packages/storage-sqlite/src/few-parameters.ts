import type { SqlValue } from '@tollgate/storage/sql';

type FewValue = string | number | Uint8Array | null;

/** A statement that a database takes which binds few parameters, and no bigint. */
export interface FewParameters {
  readonly text: string;
  readonly values: readonly FewValue[];
}

/** What a Durable Object binds at the most. */
const parametersMax = 100;

const exactNumber = (value: bigint): number => {
  if (!Number.isSafeInteger(Number(value))) throw new Error(`the number ${value} is too large for a Durable Object`);
  return Number(value);
};

/** Half of a surrogate pair has no UTF-8, and JSON would spell it in another way than a parameter does: it is replaced before. */
const plain = (value: SqlValue): FewValue => {
  if (typeof value === 'bigint') return exactNumber(value);
  return typeof value === 'string' ? value.toWellFormed() : value;
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** JSON has no bytes, and SQLite ends a text of JSON at a NUL: both go as hexadecimal digits. */
const inJson = (value: FewValue): string | number | null => {
  if (value instanceof Uint8Array) return hexOf(value);
  return typeof value === 'string' && value.includes('\0') ? hexOf(Buffer.from(value)) : value;
};

const outOfJson = (value: FewValue, index: number): string => {
  const found = `json_extract(?1, '$[${index}]')`;
  if (value instanceof Uint8Array) return `unhex(${found})`;
  return typeof value === 'string' && value.includes('\0') ? `CAST(unhex(${found}) AS TEXT)` : found;
};

/** The statement with its parameters `?1`, `?2` and so on, or with all of them in one of JSON where there are too many. */
export const bindFew = (text: string, values: readonly SqlValue[]): FewParameters => {
  const given = values.map(plain);
  if (given.length <= parametersMax) return { text, values: given };
  return {
    text: text.replaceAll(/\?(\d+)/g, (_, place: string) =>
      outOfJson(given[Number(place) - 1] ?? null, Number(place) - 1),
    ),
    values: [JSON.stringify(given.map(inJson))],
  };
};
