import { GatewayError } from '@tollgate/contract';

/** Numbers so far out are fields of the contract, whose schemas refuse what is endless in words of their own. */
const ownLevels = 2;

/** What a number becomes; only a number that JSON can spell and no number can hold is refused. */
const settled = (value: number, level: number): number => {
  if (!Number.isFinite(value) && level > ownLevels)
    throw new GatewayError('invalid_request', { detail: 'The body holds a number that is too large.' });
  return value === 0 ? 0 : value;
};

/**
 * Makes the numbers of parsed JSON such as JSON can carry on, to a storage or to a provider: `1e999`, which would become null, is
 * refused, and -0, which would become 0, is 0 at once. Walks with a list of its own, however deep the value is.
 */
export const settleNumbers = (root: unknown): void => {
  let nodes: readonly object[] = typeof root === 'object' && root !== null ? [root] : [];
  for (let level = 1; nodes.length > 0; level += 1) {
    const inner: object[] = [];
    for (const node of nodes)
      for (const name of Object.keys(node)) {
        const child: unknown = Reflect.get(node, name);
        if (typeof child === 'object' && child !== null) inner.push(child);
        else if (typeof child === 'number' && (child === 0 || !Number.isFinite(child)))
          Reflect.set(node, name, settled(child, level));
      }
    nodes = inner;
  }
};
