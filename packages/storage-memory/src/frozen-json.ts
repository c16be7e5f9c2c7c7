/** Levels of nesting that a JSON value may have: what clients write may have a hundred, and stands inside of more. */
const depthMax = 256;

const isPlainObject = (value: object): value is Record<string, unknown> => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * A deep copy of a JSON value that cannot be changed. Throws on whatever a database could not give back exactly: undefined,
 * bigint, functions, class instances, numbers that are not finite, and -0.
 */
export const frozenJson = (value: unknown, depth = 0): unknown => {
  if (depth > depthMax) throw new Error('JSON is nested too deeply');
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') {
    if (!Number.isFinite(value) || Object.is(value, -0)) throw new Error(`not a JSON number: ${value}`);
    return value;
  }
  if (Array.isArray(value)) return Object.freeze(Array.from(value, (item: unknown) => frozenJson(item, depth + 1)));
  if (typeof value !== 'object' || !isPlainObject(value)) throw new Error(`not a JSON value: ${typeof value}`);
  return frozenObject(value, depth);
};

const frozenObject = (value: Readonly<Record<string, unknown>>, depth: number): unknown => {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const member = frozenJson(value[name], depth + 1);
    // Set, a key of this name would change what the object inherits; JSON.parse makes it a plain property.
    if (name === '__proto__')
      Object.defineProperty(copy, name, { value: member, enumerable: true, writable: true, configurable: true });
    else copy[name] = member;
  }
  return Object.freeze(copy);
};
