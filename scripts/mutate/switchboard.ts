/** Switches asked within one try of a test with a mutant, after which the mutant is taken for one that never ends. */
const asksMax = 20_000_000;

/** The switches of all mutants in the sources of one thread: which one is on, and which were asked. */
export interface Switchboard {
  active: number;
  /** How often switches were asked in this try. */
  asks: number;
  readonly asked: Uint8Array;
}

/** Gives switched sources the function that they ask, before any of them loads. */
export const installSwitchboard = (switches: number): Switchboard => {
  const board: Switchboard = { active: -1, asks: 0, asked: new Uint8Array(switches) };
  const ask = (id: number): boolean => {
    board.asked[id] = 1;
    if (board.active === -1) return false;
    board.asks += 1;
    if (board.asks > asksMax) throw new Error('it goes on and on');
    return id === board.active;
  };
  Object.assign(globalThis, { $mutant: ask });
  return board;
};

/** One bit for each switch that was asked since the last call, in base64. */
export const takeAsked = ({ asked }: Switchboard): string => {
  const bits = Buffer.alloc(Math.ceil(asked.length / 8));
  asked.forEach((one, id) => {
    if (one === 1) bits[id >> 3] = (bits[id >> 3] ?? 0) | (1 << (id & 7));
  });
  asked.fill(0);
  return bits.toString('base64');
};

/** The numbers of the bits that are set. */
export const numbersOf = (base64: string): readonly number[] => {
  const numbers: number[] = [];
  Buffer.from(base64, 'base64').forEach((byte, at) => {
    for (let bit = 0; bit < 8; bit += 1) if ((byte & (1 << bit)) !== 0) numbers.push(at * 8 + bit);
  });
  return numbers;
};
