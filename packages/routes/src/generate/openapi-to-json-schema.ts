import type { JsonObject } from '@tollgate/provider';

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapped = (value: unknown, convert: (schema: unknown) => unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, convert(schema)])) : value;

const listed = (value: unknown, convert: (schema: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map(convert) : convert(value);

/** Counts are 64-bit integers in this form, which JSON writes as text. */
const toCount = (value: unknown): unknown =>
  typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value;

const toType = (value: unknown): unknown => {
  if (typeof value === 'string') return value.toLowerCase();
  return Array.isArray(value) ? value.map(toType) : value;
};

const asList = (value: unknown): readonly unknown[] | null => (Array.isArray(value) ? value : null);

/** What null is allowed beside: a type with its values, or the branches of a union. */
const withNull = (schema: JsonObject): JsonObject => {
  const { type, anyOf, enum: values } = schema;
  const listedValues = asList(values);
  const branches = asList(anyOf);
  if (typeof type === 'string')
    return { ...schema, type: [type, 'null'], ...(listedValues === null ? {} : { enum: [...listedValues, null] }) };
  return branches === null ? schema : { ...schema, anyOf: [...branches, { type: 'null' }] };
};

const keyword = (name: string, value: unknown): unknown => {
  switch (name) {
    case 'type':
      return toType(value);
    case 'properties':
    case 'patternProperties':
    case '$defs':
    case 'definitions':
      return mapped(value, openapiToJsonSchema);
    case 'items':
    case 'anyOf':
    case 'oneOf':
    case 'allOf':
    case 'prefixItems':
    case 'additionalProperties':
    case 'not':
      return listed(value, openapiToJsonSchema);
    case 'minItems':
    case 'maxItems':
    case 'minLength':
    case 'maxLength':
    case 'minProperties':
    case 'maxProperties':
      return toCount(value);
    default:
      return value;
  }
};

/**
 * A schema in the OpenAPI form, with type names in either case and `nullable`, as JSON Schema. Total: what it does not know stays
 * as it is, and a schema that is JSON Schema already comes out the same. Its depth was checked before.
 */
const openapiToJsonSchema = (schema: unknown): unknown => {
  if (!isObject(schema)) return schema;
  const { nullable, ...rest } = schema;
  const converted = Object.fromEntries(Object.entries(rest).map(([name, value]) => [name, keyword(name, value)]));
  return nullable === true ? withNull(converted) : converted;
};

/** The same for a schema that is known to be an object. */
export const toJsonSchema = (schema: JsonObject): JsonObject => {
  const converted = openapiToJsonSchema(schema);
  return isObject(converted) ? converted : schema;
};
