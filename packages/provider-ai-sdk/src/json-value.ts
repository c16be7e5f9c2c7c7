/** A parsed JSON object whose members are not trusted. */
export type UntrustedObject = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is UntrustedObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Narrows to an object; arrays and null are none. */
export const asObject = (value: unknown): UntrustedObject | undefined => (isObject(value) ? value : undefined);

export const asArray = (value: unknown): readonly unknown[] =>
  // Sound: `Array.isArray` proves an array and unknown takes any element.
  Array.isArray(value) ? (value as readonly unknown[]) : [];

/** A string with at least one character. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** What an upstream may count: a non-negative safe integer. Anything else was not counted. */
export const asCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

/** Parses JSON text; undefined where it is none (JSON itself has no undefined). */
export const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
