import type { QueuedStep } from '@tollgate/storage';
import { rowKey, type PlainParts, type Row } from './plain-parts.ts';

/** What the step's keys held when it was submitted. */
export const snapshots = (parts: Pick<PlainParts, 'find'>) => {
  const seen = new WeakMap<QueuedStep, ReadonlyMap<string, Row | undefined>>();
  return {
    take: (step: QueuedStep): void => {
      const rows = step.keys.map((key) => [rowKey(key.table, key.id), parts.find(key.table, key.id)] as const);
      seen.set(step, new Map(rows));
    },
    of: (step: QueuedStep): ReadonlyMap<string, Row | undefined> => seen.get(step) ?? new Map(),
  };
};
