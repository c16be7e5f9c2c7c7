import type { JsonObject } from '@tollgate/provider';

/** From this depth on only what a schema requires is written, so that recursive schemas end. */
const optionalDepthMax = 4;
/** What lies deeper than this is null: a schema that requires itself has no valid example anyway. */
const depthMax = 32;
const valuesMax = 1_000;
const itemsMax = 100;
const charactersMax = 1_000;

interface Progress {
  readonly root: JsonObject;
  values: number;
}

/**
 * Makes a valid example of a JSON Schema, always the same one. Knows `const`, `enum`, `type`, `properties`, `required`,
 * `items`, `prefixItems`, `minItems`, `minLength`, `maxLength`, `format`, the numeric bounds, `multipleOf`, `anyOf`, `oneOf`,
 * `allOf` and local `$ref`; leaves other keywords (such as `pattern`) aside.
 */
export const exampleOfSchema = (schema: JsonObject): unknown => example(schema, 0, { root: schema, values: 0 });

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);

const example = (value: unknown, depth: number, progress: Progress): unknown => {
  progress.values += 1;
  if (depth > depthMax || progress.values > valuesMax) return null;
  const schema = flatten(objectOf(value), depth, progress);
  if ('const' in schema) return schema['const'];
  if (Array.isArray(schema['enum']) && schema['enum'].length > 0) return listOf(schema['enum'])[0];
  switch (typeOf(schema)) {
    case 'object':
      return exampleObject(schema, depth, progress);
    case 'array':
      return exampleArray(schema, depth, progress);
    case 'integer':
      return exampleNumber(schema, true);
    case 'number':
      return exampleNumber(schema, false);
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return exampleString(schema);
  }
};

/** Follows references and takes in one branch of each alternative, until the schema stands alone. */
const flatten = (schema: JsonObject, depth: number, progress: Progress): JsonObject => {
  let flat = schema;
  for (let step = 0; step < depthMax; step += 1) {
    const { $ref: reference, anyOf, oneOf, allOf, ...own } = flat;
    if (typeof reference === 'string') flat = { ...resolve(reference, progress.root), ...own };
    else if (listOf(anyOf ?? oneOf).length > 0) flat = merge(own, pickBranch(listOf(anyOf ?? oneOf), depth));
    else if (listOf(allOf).length > 0) flat = listOf(allOf).map(objectOf).reduce(merge, own);
    else return flat;
  }
  return flat;
};

const ends = (branch: JsonObject): boolean => !('$ref' in branch) && !['object', 'array'].includes(typeOf(branch));

/** Deep down a branch that ends is taken before one that goes on. */
const pickBranch = (branches: readonly unknown[], depth: number): JsonObject => {
  const known = branches.map(objectOf);
  return (depth < optionalDepthMax ? undefined : known.find(ends)) ?? known[0] ?? {};
};

const merge = (left: JsonObject, right: JsonObject): JsonObject => ({
  ...left,
  ...right,
  ...('properties' in left && 'properties' in right
    ? { properties: { ...objectOf(left['properties']), ...objectOf(right['properties']) } }
    : {}),
  ...('required' in left && 'required' in right
    ? { required: [...listOf(left['required']), ...listOf(right['required'])] }
    : {}),
});

/** `#` and `#/…` pointers; a reference that leads nowhere allows anything. */
const resolve = (reference: string, root: JsonObject): JsonObject => {
  if (!reference.startsWith('#')) return {};
  let at: unknown = root;
  for (const part of reference.split('/').slice(1)) {
    const name = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return objectOf(at);
};

const typeOf = (schema: JsonObject): string => {
  const given = Array.isArray(schema['type']) ? listOf(schema['type'])[0] : schema['type'];
  // Some dialects write type names in upper case.
  if (typeof given === 'string') return given.toLowerCase();
  if ('properties' in schema || 'required' in schema) return 'object';
  if ('items' in schema || 'prefixItems' in schema) return 'array';
  return 'minimum' in schema || 'maximum' in schema ? 'number' : 'string';
};

const exampleObject = (schema: JsonObject, depth: number, progress: Progress): JsonObject => {
  const properties = objectOf(schema['properties']);
  const required = new Set(listOf(schema['required']).filter((name) => typeof name === 'string'));
  const optional = depth < optionalDepthMax ? Object.keys(properties) : [];
  const names = [...new Set([...optional, ...required])];
  return Object.fromEntries(
    names.map((name) => [name, example(Object.hasOwn(properties, name) ? properties[name] : {}, depth + 1, progress)]),
  );
};

const exampleArray = (schema: JsonObject, depth: number, progress: Progress): readonly unknown[] => {
  const leading = listOf(schema['prefixItems']);
  const wanted = Math.max(numberOf(schema['minItems']) ?? 0, leading.length, depth < optionalDepthMax ? 1 : 0);
  const count = Math.min(wanted, numberOf(schema['maxItems']) ?? itemsMax, itemsMax);
  return Array.from({ length: count }, (_, index) => example(leading[index] ?? schema['items'], depth + 1, progress));
};

const exampleNumber = (schema: JsonObject, integer: boolean): number => {
  const above = numberOf(schema['exclusiveMinimum']);
  const below = numberOf(schema['exclusiveMaximum']);
  const step = numberOf(schema['multipleOf']) ?? (integer ? 1 : 0);
  const high = numberOf(schema['maximum']) ?? (below === undefined ? Infinity : below - (step || 1));
  const low = numberOf(schema['minimum']) ?? (above === undefined ? Math.min(1, high) : above + (step || 1));
  // Between two bounds that lie closer than 1 the middle is inside.
  const start = low > high && above !== undefined && below !== undefined ? (above + below) / 2 : low;
  if (step <= 0) return start;
  const rounded = Math.ceil(start / step) * step;
  return rounded > high ? Math.floor(high / step) * step : rounded;
};

const formats: { readonly [format: string]: string } = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'PT1S',
  email: 'example@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  uuid: '00000000-0000-4000-8000-000000000000',
};

const exampleString = (schema: JsonObject): string => {
  const format = typeof schema['format'] === 'string' ? formats[schema['format']] : undefined;
  if (format !== undefined) return format;
  const shortest = Math.min(numberOf(schema['minLength']) ?? 0, charactersMax);
  const text = 'example'.padEnd(shortest, ' example');
  return text.slice(0, Math.max(shortest, numberOf(schema['maxLength']) ?? text.length));
};
