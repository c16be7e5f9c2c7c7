/** Mixes the bits of a number so that each depends on all of them. */
const mixed = (value: number): number => {
  let bits = value;
  bits = Math.imul(bits ^ (bits >>> 16), 0x85_eb_ca_6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2_b2_ae_35);
  return (bits ^ (bits >>> 16)) >>> 0;
};

const fnvPrime = 0x01_00_01_93;
const fnvOffset = 0x81_1c_9d_c5;

/** A text as a number between 0 and 1, neither included; equal texts have equal numbers, in every process. */
const fractionOf = (text: string): number => {
  let hash = fnvOffset;
  for (let place = 0; place < text.length; place += 1) hash = Math.imul(hash ^ text.charCodeAt(place), fnvPrime);
  return (mixed(hash) + 0.5) / 2 ** 32;
};

export interface RendezvousEntry<Item> {
  readonly item: Item;
  /** By which it is known in every process. */
  readonly name: string;
  readonly weight: number;
}

/**
 * The items in the order in which a key prefers them. Each item is first for its share of all keys. Where one is missing, its keys go
 * to the next of their order, and no other key moves.
 */
export const rendezvous = <Item>(entries: readonly RendezvousEntry<Item>[], key: string): readonly Item[] =>
  entries
    .map(({ item, name, weight }) => ({ item, score: -weight / Math.log(fractionOf(JSON.stringify([name, key]))) }))
    .toSorted((a, b) => b.score - a.score)
    .map(({ item }) => item);
