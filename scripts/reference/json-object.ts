// Reads members of parsed JSON, whose form is known and not typed.

export type JsonObject = Readonly<Record<string, unknown>>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value as an object; an empty one where it is none. */
export const asRecord = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** The objects of a list at a name; none where there is no list. */
export const recordsIn = (node: JsonObject, name: string): readonly JsonObject[] => {
  const value = node[name];
  return Array.isArray(value) ? value.map(asRecord) : [];
};

/** The text at a name. */
export const textIn = (node: JsonObject, name: string): string | undefined => {
  const value = node[name];
  return typeof value === 'string' ? value : undefined;
};

/** The texts of a list at a name; none where there is no list. */
export const textsIn = (node: JsonObject, name: string): readonly string[] => {
  const value = node[name];
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
};

/** The object that a chain of names leads to; an empty one where it leads nowhere. */
export const recordAt = (node: JsonObject, ...names: readonly string[]): JsonObject =>
  names.reduce((at, name) => asRecord(at[name]), node);
