import { GatewayError } from '@tollgate/contract';

/** Numbers so far out are fields of the contract, whose schemas refuse what is endless in words of their own. */
const ownLevels = 2;

/** What a number becomes; only a number that JSON can spell and no number can hold is refused. */
const settled = (value: number, level: number): number => {
  if (!Number.isFinite(value) && level > ownLevels)
    throw new GatewayError('invalid_request', {
      detail: 'The body holds a number without end; accepted are numbers that JSON can carry on.',
    });
  return value === 0 ? 0 : value;
};

/** Whether it is a number that the walk below looks at: any other is as it should be. */
const isOdd = (value: unknown): value is number =>
  typeof value === 'number' && (value === 0 || !Number.isFinite(value));

const settleList = (list: unknown[], level: number, inner: object[]): void => {
  for (const [place, child] of list.entries()) {
    if (typeof child === 'object' && child !== null) inner.push(child);
    else if (isOdd(child)) list[place] = settled(child, level);
  }
};

const settleObject = (node: object, level: number, inner: object[]): void => {
  for (const name of Object.keys(node)) {
    const child: unknown = Reflect.get(node, name);
    if (typeof child === 'object' && child !== null) inner.push(child);
    else if (isOdd(child)) Reflect.set(node, name, settled(child, level));
  }
};

/**
 * Makes the numbers of parsed JSON such as JSON can carry on, to a storage or to a provider: `1e999`, which would become null, is
 * refused, and -0, which would become 0, is 0 at once. Walks with a list of its own, however deep the value is. The scan of the
 * bytes says where it is needed: hardly ever.
 */
export const settleNumbers = (root: unknown): void => {
  let nodes: readonly object[] = typeof root === 'object' && root !== null ? [root] : [];
  for (let level = 1; nodes.length > 0; level += 1) {
    const inner: object[] = [];
    for (const node of nodes)
      if (Array.isArray(node)) settleList(node, level, inner);
      else settleObject(node, level, inner);
    nodes = inner;
  }
};
