export interface Weighted<Item> {
  readonly item: Item;
  readonly weight: number;
}

/** Whose turn it is, by weight. */
export interface Turns<Item> {
  /** The item whose turn it is among those eligible, and after it the others by how close their turn is. Each queue has its own turns. */
  readonly next: (
    queue: string,
    isEligible: (item: Item) => boolean,
    /** What the weight of an item is multiplied by for this turn; above 0 (default 1). */
    factorOf?: (item: Item) => number,
  ) => readonly Item[];
}

interface Turn<Item> extends Weighted<Item> {
  credit: number;
}

/** Throws for a weight that is not positive. */
export const checkWeights = <Item>(entries: readonly Weighted<Item>[]): void => {
  for (const { weight } of entries)
    if (!Number.isFinite(weight) || weight <= 0) throw new RangeError(`a weight is positive, not ${weight}`);
};

/** Smooth weighted round robin: everyone gains its weight, the richest goes, and pays what all gained. Throws for a weight that is not positive. */
export const createTurns = <Item>(entries: readonly Weighted<Item>[]): Turns<Item> => {
  checkWeights(entries);
  const queues = new Map<string, readonly Turn<Item>[]>();
  return {
    next: (queue, isEligible, factorOf = () => 1) => {
      const turns = queues.get(queue) ?? entries.map((entry) => ({ ...entry, credit: 0 }));
      queues.set(queue, turns);
      return takeTurn(
        turns.filter(({ item }) => isEligible(item)),
        factorOf,
      );
    },
  };
};

const takeTurn = <Item>(eligible: readonly Turn<Item>[], factorOf: (item: Item) => number): readonly Item[] => {
  const gains = eligible.map(({ item, weight }) => weight * factorOf(item));
  for (const [place, turn] of eligible.entries()) turn.credit += gains[place] ?? 0;
  // Stable: among equals the one that is named first goes first.
  const order = eligible.toSorted((a, b) => b.credit - a.credit);
  const [first] = order;
  if (first !== undefined) first.credit -= gains.reduce((sum, gain) => sum + gain, 0);
  return order.map(({ item }) => item);
};
