export interface Weighted<Item> {
  readonly item: Item;
  readonly weight: number;
}

/** Whose turn it is, by weight. */
export interface Turns<Item> {
  /** The item whose turn it is among those eligible, and after it the others by how close their turn is. Each lane has its own turns. */
  readonly next: (lane: string, isEligible: (item: Item) => boolean) => readonly Item[];
}

interface Turn<Item> extends Weighted<Item> {
  credit: number;
}

/** Smooth weighted round robin: everyone gains its weight, the richest goes, and pays what all gained. Throws for a weight that is not positive. */
export const createTurns = <Item>(entries: readonly Weighted<Item>[]): Turns<Item> => {
  for (const { weight } of entries) {
    if (!Number.isFinite(weight) || weight <= 0) throw new RangeError(`a weight is positive, not ${weight}`);
  }
  const lanes = new Map<string, readonly Turn<Item>[]>();
  return {
    next: (lane, isEligible) => {
      const standings = lanes.get(lane) ?? entries.map((entry) => ({ ...entry, credit: 0 }));
      lanes.set(lane, standings);
      return takeTurn(standings.filter(({ item }) => isEligible(item)));
    },
  };
};

const takeTurn = <Item>(eligible: readonly Turn<Item>[]): readonly Item[] => {
  for (const standing of eligible) standing.credit += standing.weight;
  // Stable: among equals the one that is named first goes first.
  const order = eligible.toSorted((a, b) => b.credit - a.credit);
  const [first] = order;
  if (first !== undefined) first.credit -= eligible.reduce((sum, { weight }) => sum + weight, 0);
  return order.map(({ item }) => item);
};
