import type { Decide, Key, Records, Write } from '@tollgate/storage';
import type { Cell } from './cell.ts';

/** Settings of the whole gateway and price lists: the first cell decides, and the others have copies. */
export interface SharedRecords {
  transact<T>(keys: readonly Key[], decide: Decide<T>): Promise<T>;
  /** From the first cell, in their order, that responds. */
  read(keys: readonly Key[]): Promise<Records>;
  /** Runs on the first cell, in their order, that responds. */
  onFirst<T>(ask: (cell: Cell) => Promise<T>): Promise<T>;
  /** Waits for the copies under way. */
  idle(): Promise<void>;
}

const isSame = (one: object | undefined, other: object | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** What makes a record the same as its source. */
const copyWrites = ({ table, id }: Key, source: Records, target: Records): readonly Write[] => {
  if (isSame(source.get(table, id), target.get(table, id))) return [];
  const setting = table === 'setting' ? source.get(table, id) : undefined;
  if (setting !== undefined) return [{ kind: 'put', table: 'setting', record: setting }];
  const tariff = table === 'tariff' ? source.get(table, id) : undefined;
  if (tariff !== undefined) return [{ kind: 'put', table: 'tariff', record: tariff }];
  return [{ kind: 'delete', table, id }];
};

const copyRecords = async (keys: readonly Key[], from: Cell, to: readonly Cell[]): Promise<void> => {
  const named = keys.map(({ table, id }) => ({ table, id }));
  const source = await from.storage.read(named);
  const copyTo = ({ storage }: Cell): Promise<void> =>
    storage.transact(named, (target) => ({
      writes: named.flatMap((key) => copyWrites(key, source, target)),
      answer: undefined,
    }));
  await Promise.all(to.map(copyTo));
};

/** What a step returns on copies, where all of its records are there and it changes nothing. */
const decideOnCopies = <T>({ storage }: Cell, keys: readonly Key[], decide: Decide<T>) =>
  storage.transact(keys, (records, nowMs) => {
    if (keys.some(({ table, id }) => records.get(table, id) === undefined)) throw new Error('a copy is missing');
    const { writes, answer } = decide(records, nowMs);
    if (writes.length > 0) throw new Error('a copy cannot be changed');
    return { writes: [], answer: { answer } };
  });

const onFirstOf = async <T>(cells: readonly Cell[], ask: (cell: Cell) => Promise<T>): Promise<T> => {
  const failures: unknown[] = [];
  for (const cell of cells) {
    try {
      return await ask(cell);
    } catch (cause) {
      failures.push(cause);
    }
  }
  throw failures[0];
};

/** A gateway asks for records of this kind as it starts: `checkStart` is awaited before the first of them. */
export const createSharedRecords = (
  cells: readonly [Cell, ...Cell[]],
  checkStart: () => Promise<void>,
): SharedRecords => {
  const [first, ...others] = cells;
  const copies = new Set<Promise<unknown>>();
  const copySoon = (keys: readonly Key[]): void => {
    // A cell that is away gets its copy when a process asks for the same records again, as each does when it starts.
    const copying: Promise<unknown> = copyRecords(keys, first, others).catch(() => undefined);
    copies.add(copying);
    void copying.then(() => copies.delete(copying));
  };
  return {
    transact: async (keys, decide) => {
      await checkStart();
      try {
        const answer = await first.storage.transact(keys, decide);
        if (others.length > 0) copySoon(keys);
        return answer;
      } catch (cause) {
        const found = await onFirstOf(others, (cell) => decideOnCopies(cell, keys, decide)).catch(() => null);
        if (found === null) throw cause;
        return found.answer;
      }
    },
    read: async (keys) => {
      await checkStart();
      return onFirstOf(cells, ({ storage }) => storage.read(keys));
    },
    onFirst: (ask) => onFirstOf(cells, ask),
    idle: async () => void (await Promise.all(copies)),
  };
};
