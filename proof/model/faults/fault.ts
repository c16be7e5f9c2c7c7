import type { Decision, Records, TableName, Tables, Write } from '@tollgate/storage';
import type { Step } from '../../../packages/engine/src/decisions/step.ts';
import type { Decisions } from '../decisions.ts';
import type { Theme } from '../theme.ts';
import type { CheckName } from '../violation.ts';

/** A wrong decision, put in on purpose, and the check that must catch it. */
export interface Fault {
  readonly name: string;
  /** A check that must catch it; others may be quicker in some histories. */
  readonly caughtBy: CheckName;
  /** A published failure of another gateway that it stands for. */
  readonly seenAt?: string;
  /** What the histories are about that must catch it: money where nothing is said. */
  readonly theme?: Theme;
  readonly put: (real: Decisions) => Partial<Decisions>;
}

/** Changes what a step comes to. */
export const amend = <T>(
  { keys, decide }: Step<T>,
  change: (decision: Decision<T>, records: Records, nowMs: number) => Decision<T>,
): Step<T> => ({ keys, decide: (records, nowMs) => change(decide(records, nowMs), records, nowMs) });

/** Changes what a step sees of one table. */
export const blur = <T extends TableName, A>(
  { keys, decide }: Step<A>,
  table: T,
  change: (record: Tables[T] | undefined, records: Records) => Tables[T] | undefined,
): Step<A> => {
  const blurred: TableName = table;
  const seen = (records: Records): Records => ({
    get: <U extends TableName>(name: U, id: string): Tables[U] | undefined => {
      if (name !== blurred) return records.get(name, id);
      // Within this branch U is T, which the compiler does not see.
      return change(records.get(table, id), records) as unknown as Tables[U] | undefined;
    },
  });
  return { keys, decide: (records, nowMs) => decide(seen(records), nowMs) };
};

/** Leaves out the writes of a kind. */
export const without = (writes: readonly Write[], leave: (write: Write) => boolean): readonly Write[] =>
  writes.filter((write) => !leave(write));

/** Changes the record of every put or append of a table. */
export const rewrite = <T extends TableName>(
  writes: readonly Write[],
  table: T,
  change: (record: Tables[T]) => Tables[T],
): readonly Write[] =>
  writes.map((write) => {
    if (write.kind === 'delete' || write.table !== table) return write;
    // The write is of this table, so its record is one of it.
    return { ...write, record: change(write.record as Tables[T]) } as Write;
  });
