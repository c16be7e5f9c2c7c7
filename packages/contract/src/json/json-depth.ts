/** Tells whether a parsed JSON value nests deeper than `depthMax` objects and lists. Walks with a list of its own, so a
 * value nested a hundred thousand deep cannot exhaust the stack. */
export const isDeeperThan = (value: unknown, depthMax: number): boolean => {
  let level: readonly object[] = typeof value === 'object' && value !== null ? [value] : [];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === depthMax) return true;
    const next: object[] = [];
    for (const node of level) {
      for (const child of Object.values(node) as unknown[]) {
        if (typeof child === 'object' && child !== null) next.push(child);
      }
    }
    level = next;
  }
  return false;
};
