import type { FileUseRecord, Key, ResourceUseRecord, Write } from '@tollgate/storage';
import type { Step } from './step.ts';

/** How long after an operation opened it is looked whether its use of something can be forgotten, and then again and again. */
export const useLookMs = 600_000;

/** A note that an operation uses a file or a resource, claimed by a sweep. */
export type ClaimedUse =
  | { readonly table: 'fileUse'; readonly use: FileUseRecord }
  | { readonly table: 'resourceUse'; readonly use: ResourceUseRecord };

const forgetUseKeys = ({ table, use }: ClaimedUse): readonly Key[] => [
  { table, id: use.id },
  { table: 'operation', id: use.operationId },
];

const lookLater = (claimed: ClaimedUse, dueAtMs: number): Write =>
  claimed.table === 'fileUse'
    ? { kind: 'put', table: 'fileUse', record: { ...claimed.use, owner: null, dueAtMs } }
    : { kind: 'put', table: 'resourceUse', record: { ...claimed.use, owner: null, dueAtMs } };

/** Forgets a use whose operation has ended; of another one it is looked again later. */
export const forgetUse = (claimed: ClaimedUse): Step<boolean> => ({
  keys: forgetUseKeys(claimed),
  decide: (records, nowMs) => {
    const { table, use } = claimed;
    if (records.get(table, use.id)?.owner !== use.owner) return { writes: [], answer: false };
    if (records.get('operation', use.operationId)?.endedAtMs === null)
      return { writes: [lookLater(claimed, nowMs + useLookMs)], answer: false };
    return { writes: [{ kind: 'delete', table, id: use.id }], answer: true };
  },
});
