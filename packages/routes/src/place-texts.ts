/** Puts texts where their placeholders stand as values in what was parsed just now, and returns it. */
export const placeTexts = (root: unknown, texts: ReadonlyMap<string, string>): unknown => {
  if (texts.size === 0) return root;
  if (typeof root === 'string') return texts.get(root) ?? root;
  const lengthMax = Math.max(...[...texts.keys()].map(({ length }) => length));
  const waiting: object[] = typeof root === 'object' && root !== null ? [root] : [];
  let left = texts.size;
  for (let node = waiting.pop(); node !== undefined && left > 0; node = waiting.pop()) {
    for (const key of Object.keys(node)) {
      const value: unknown = Reflect.get(node, key);
      if (typeof value === 'object' && value !== null) waiting.push(value);
      if (typeof value !== 'string' || value.length > lengthMax) continue;
      const text = texts.get(value);
      if (text === undefined) continue;
      // An own field of that name is there, so that `__proto__` is one like every other.
      Reflect.set(node, key, text);
      left -= 1;
    }
  }
  return root;
};
