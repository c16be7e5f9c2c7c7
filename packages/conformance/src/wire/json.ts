/** JSON of a stranger: every step leads somewhere, and a missing one to nothing. */
export interface Json {
  readonly value: unknown;
  readonly at: (...path: readonly (string | number)[]) => Json;
  /** The text, or an empty one where there is none. */
  readonly text: () => string;
  /** The number, or NaN. */
  readonly number: () => number;
  /** The entries of a list, or none. */
  readonly list: () => readonly Json[];
  /** The names of an object's fields, or none. */
  readonly keys: () => readonly string[];
}

const fieldOf = (value: unknown, name: string | number): unknown =>
  // Reflect.get reads any field of an object; what it is, is checked by the reader.
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

export const jsonOf = (value: unknown): Json => ({
  value,
  at: (...path) => jsonOf(path.reduce(fieldOf, value)),
  text: () => (typeof value === 'string' ? value : ''),
  number: () => (typeof value === 'number' ? value : Number.NaN),
  list: () => (Array.isArray(value) ? value.map(jsonOf) : []),
  keys: () => (typeof value === 'object' && value !== null ? Object.keys(value) : []),
});

/** What a text says as JSON; undefined inside where it is none. */
export const parseJson = (text: string): Json => {
  try {
    return jsonOf(JSON.parse(text));
  } catch {
    return jsonOf(undefined);
  }
};
