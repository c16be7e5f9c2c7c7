/** A function of a schema whose result is kept for as long as the schema, because schemas never change and values come by the thousand. */
export const perSchema = <K extends object, T>(compute: (key: K) => T): ((key: K) => T) => {
  const kept = new WeakMap<K, { readonly result: T }>();
  return (key) => {
    const known = kept.get(key);
    if (known !== undefined) return known.result;
    const result = compute(key);
    kept.set(key, { result });
    return result;
  };
};
