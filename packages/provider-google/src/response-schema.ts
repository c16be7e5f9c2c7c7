import { asObject, type JsonObject } from '@tollgate/provider';

const schemaMaps = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const schemaLists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const schemas = new Set([
  'items',
  'additionalProperties',
  'additionalItems',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
]);

/** Schemas nest no deeper than this; what lies below is sent as it is. */
const depthMax = 200;

/**
 * A JSON Schema as the upstream takes it for answers: `const`, which it does not know, becomes a list of one value, at every
 * depth where a schema may stand. A property that is named `const`, and values, are left alone.
 */
export const toResponseSchema = (schema: JsonObject): JsonObject => sanitize(schema, 0);

const sanitize = (schema: JsonObject, depth: number): JsonObject => {
  if (depth >= depthMax) return schema;
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'const') result['enum'] = [value];
    else if (keyword !== 'enum' || schema['const'] === undefined) result[keyword] = member(keyword, value, depth + 1);
  }
  return result;
};

const member = (keyword: string, value: unknown, depth: number): unknown => {
  if (schemaMaps.has(keyword)) {
    const map = asObject(value);
    if (map === undefined) return value;
    return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, anySchema(schema, depth)]));
  }
  if (schemaLists.has(keyword) || schemas.has(keyword)) {
    return Array.isArray(value) ? value.map((schema) => anySchema(schema, depth)) : anySchema(value, depth);
  }
  return value;
};

/** A schema may also be true or false. */
const anySchema = (value: unknown, depth: number): unknown => {
  const schema = asObject(value);
  return schema === undefined ? value : sanitize(schema, depth);
};
