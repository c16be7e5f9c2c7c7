export interface Weighted<Item> {
  readonly item: Item;
  readonly weight: number;
}

/** Whose turn it is, by weight. */
export interface Turns<Item> {
  /** The item whose turn it is among those eligible, and after it the others by how close their turn is. Each queue has its own turns. */
  readonly next: (queue: string, isEligible: (item: Item) => boolean) => readonly Item[];
}

interface Turn<Item> extends Weighted<Item> {
  credit: number;
}

/** Smooth weighted round robin: everyone gains its weight, the richest goes, and pays what all gained. Throws for a weight that is not positive. */
export const createTurns = <Item>(entries: readonly Weighted<Item>[]): Turns<Item> => {
  for (const { weight } of entries) {
    if (!Number.isFinite(weight) || weight <= 0) throw new RangeError(`a weight is positive, not ${weight}`);
  }
  const queues = new Map<string, readonly Turn<Item>[]>();
  return {
    next: (queue, isEligible) => {
      const turns = queues.get(queue) ?? entries.map((entry) => ({ ...entry, credit: 0 }));
      queues.set(queue, turns);
      return takeTurn(turns.filter(({ item }) => isEligible(item)));
    },
  };
};

const takeTurn = <Item>(eligible: readonly Turn<Item>[]): readonly Item[] => {
  for (const turn of eligible) turn.credit += turn.weight;
  // Stable: among equals the one that is named first goes first.
  const order = eligible.toSorted((a, b) => b.credit - a.credit);
  const [first] = order;
  if (first !== undefined) first.credit -= eligible.reduce((sum, { weight }) => sum + weight, 0);
  return order.map(({ item }) => item);
};
