/** Longest name of a client's own field that a message repeats, in characters. */
const nameCharsMax = 64;

/** A client's field name made safe to repeat in a message: printable ASCII, cut to a fixed length. */
export const safeName = (name: PropertyKey): string =>
  String(name)
    .slice(0, nameCharsMax)
    .replaceAll(/[^\x20-\x7e]/g, '?');

/** Writes a path as a client would: `messages[3].content[0].text`. */
export const fieldPath = (path: readonly PropertyKey[]): string =>
  path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${safeName(step)}`))
    .join('');

/** The value at a path of parsed JSON, or undefined where the path leads nowhere. */
export const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown => {
  let value = root;
  for (const step of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
};
