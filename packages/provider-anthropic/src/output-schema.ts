import { asObject, type JsonObject } from '@tollgate/provider';

/** Members of a schema that hold one schema, */
const single: ReadonlySet<string> = new Set(['items', 'additionalProperties', 'not']);
/** a list of them, */
const listed: ReadonlySet<string> = new Set(['anyOf', 'allOf', 'oneOf', 'prefixItems']);
/** or one for each name. */
const named: ReadonlySet<string> = new Set(['properties', '$defs', 'definitions']);

const closedMember = (name: string, value: unknown): unknown => {
  if (single.has(name)) return closed(value);
  // Sound: `Array.isArray` proves an array and unknown takes any element.
  if (listed.has(name) && Array.isArray(value)) return (value as readonly unknown[]).map(closed);
  const schemas = named.has(name) ? asObject(value) : undefined;
  if (schemas === undefined) return value;
  return Object.fromEntries(Object.entries(schemas).map(([key, schema]) => [key, closed(schema)]));
};

const closed = (value: unknown): unknown => {
  const schema = asObject(value);
  return schema === undefined ? value : toOutputSchema(schema);
};

/**
 * A schema of an answer as this upstream takes it: every object says that it has no further members. What fits it fits the schema of
 * the client too, unless that asks for further members, which stays as it is.
 */
export const toOutputSchema = (schema: JsonObject): JsonObject => {
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closedMember(name, value)]));
  const isOpen = schema['type'] === 'object' && schema['additionalProperties'] === undefined;
  return isOpen ? { ...members, additionalProperties: false } : members;
};
