/** As deep as the contract takes JSON anywhere. A few thousand levels parse, but cannot be written again. */
const depthMax = 100;

const childrenOf = (value: object): readonly unknown[] => Object.values(value);

/** Walks level by level with a list of its own, so that no depth can exhaust the stack. */
const isTooDeep = (value: unknown): boolean => {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= depthMax; depth += 1) {
    level = level.flatMap((node) => (typeof node === 'object' && node !== null ? childrenOf(node) : []));
    if (level.length === 0) return false;
  }
  return true;
};

/**
 * Parses JSON that a client wrote inside a text: a `context`, the arguments of a call, the answer of a function. Undefined
 * where it is no JSON, or is nested so deeply that writing it into a request might throw.
 */
export const parseClientJson = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
};
