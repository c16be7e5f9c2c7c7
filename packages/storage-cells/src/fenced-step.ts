import type { Decide, Key, Records, Write } from '@tollgate/storage';
import { accountsOf } from './account-of-records.ts';
import type { Cell } from './cell.ts';
import { movesKey, movesOf, type CellMove } from './moves-record.ts';

/** What came of a step that was sent to a cell. */
export type FencedOutcome<T> =
  | { readonly kind: 'done'; readonly answer: T; readonly writes: readonly Write[]; readonly epoch: number }
  /** Accounts came to the cell or left it since the process looked, so the step may belong elsewhere. */
  | { readonly kind: 'stale' }
  /** Its account is on its way: nothing was done. `isOver` once the process that moves it has had its time. */
  | { readonly kind: 'moving'; readonly move: CellMove; readonly isOver: boolean };

/** A step as it is sent to a cell. */
export interface FencedStep<T> {
  readonly cell: Cell;
  /** How often, as this process knows, accounts have come to the cell or left it. */
  readonly epoch: number;
  /** The account of all records; null where only the records tell. */
  readonly accountId: string | null;
  readonly keys: readonly Key[];
  readonly decide: Decide<T>;
}

/** What the step still lacks to be decided. */
type Attempt<T> =
  | FencedOutcome<T>
  | { readonly kind: 'accounts' }
  | { readonly kind: 'log'; readonly moves: readonly string[] };

interface Known {
  /** Null where they are not known yet. */
  readonly accounts: ReadonlySet<string> | null;
  /** Ids for what is logged, one for each move by which an account of the step is being copied. */
  readonly logIds: readonly string[];
}

const writtenKey = (write: Write): Key => ({
  table: write.table,
  id: write.kind === 'delete' ? write.id : write.record.id,
});

/** What the ids of what is logged for a move begin with: by it what is left of one that was given up is cleared away. */
export const logPrefix = (moveId: string): string => `${moveId}:`;

/** That records of an account changed while it is copied. */
export const logWrite = (id: string, accountId: string, keys: readonly Key[], nowMs: number) =>
  ({ kind: 'put', table: 'moveLog', record: { id, accountId, keys, createdAtMs: nowMs } }) as const satisfies Write;

const logIdOf = ({ logIds }: Known, move: CellMove): string | undefined =>
  logIds.find((id) => id.startsWith(logPrefix(move.id)));

const logged = (writes: readonly Write[], copied: readonly CellMove[], known: Known, nowMs: number): readonly Write[] =>
  writes.length === 0
    ? []
    : copied.map((move) => logWrite(logIdOf(known, move) ?? '', move.accountId, writes.map(writtenKey), nowMs));

const decideFenced = <T>(step: FencedStep<T>, known: Known, records: Records, nowMs: number) => {
  const nothing = (attempt: Attempt<T>) => ({ writes: [], answer: attempt });
  const { epoch, moves } = movesOf(records);
  if (epoch !== step.epoch) return nothing({ kind: 'stale' });
  const { accounts } = known;
  if (moves.length > 0 && accounts === null) return nothing({ kind: 'accounts' });
  const own = moves.filter(({ accountId }) => accounts?.has(accountId) === true);
  const fence = own.find(({ state }) => state !== 'copying');
  if (fence !== undefined) return nothing({ kind: 'moving', move: fence, isOver: nowMs > fence.untilMs });
  if (own.some((move) => logIdOf(known, move) === undefined))
    return nothing({ kind: 'log', moves: own.map(({ id }) => id) });
  const { writes, answer } = step.decide(records, nowMs);
  const attempt: Attempt<T> = { kind: 'done', answer, writes, epoch };
  return { writes: own.length === 0 ? writes : [...writes, ...logged(writes, own, known, nowMs)], answer: attempt };
};

/**
 * Sends a step to its cell, which decides it where no account of it is between two cells. The cell's row of moves is read with the
 * step's own records, and so one after another with every step that changes it: whatever is decided here is committed before an account
 * is closed for its move, or not at all. While an account is copied, the step writes down what it changed.
 */
export const sendFenced = async <T>(step: FencedStep<T>, newId: () => string): Promise<FencedOutcome<T>> => {
  const { cell, accountId, keys } = step;
  let accounts: Known['accounts'] = accountId === null ? null : new Set([accountId]);
  let logIds: Known['logIds'] = [];
  for (;;) {
    const now: Known = { accounts, logIds };
    const declared = [...keys, movesKey, ...now.logIds.map((id) => ({ table: 'moveLog', id, fresh: true }) as const)];
    const attempt = await cell.storage.transact(declared, (records, nowMs) => decideFenced(step, now, records, nowMs));
    if (attempt.kind === 'accounts') {
      accounts = new Set((await accountsOf(cell.storage, keys)).values());
    } else if (attempt.kind === 'log') {
      logIds = attempt.moves.map((id) => `${logPrefix(id)}${newId()}`);
    } else return attempt;
  }
};
