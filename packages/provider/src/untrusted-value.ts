/** A parsed JSON object whose members are not trusted. */
export type UntrustedObject = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is UntrustedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Narrows what an upstream sent to an object; undefined for all else, arrays and null too. */
export const asObject = (value: unknown): UntrustedObject | undefined => (isObject(value) ? value : undefined);

/** Narrows what an upstream sent to a list of unknown members; what is no list has none. */
export const asArray = (value: unknown): readonly unknown[] =>
  // Sound: `Array.isArray` proves an array and unknown takes any element.
  Array.isArray(value) ? (value as readonly unknown[]) : [];

/** A string with at least one character; undefined for all else. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What an upstream may count: a non-negative safe integer. Anything else was not counted, and is undefined. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/**
 * Parses JSON text of an upstream; undefined where it is none (JSON itself has no undefined). What a client wrote is for
 * `parseClientJson`, which bounds its nesting.
 */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
