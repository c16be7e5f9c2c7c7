import { isResourceKind } from '@tollgate/contract';
import type { Key, OperationRecord, Write } from '@tollgate/storage';
import { identityId } from './open.ts';
import { uncountKeys, uncountWrites, type Uncounted } from './parent-count.ts';
import { isKeepingKind, isUnderWayKind, uncountOperation, usageKey } from './quotas.ts';
import { spendKeys, spendWrites } from './spend.ts';
import type { Step } from './step.ts';

const unregisterKeys = (operation: OperationRecord, uncounted: Uncounted | null): readonly Key[] => [
  ...uncountKeys(uncounted),
  ...spendKeys(operation),
  ...(isKeepingKind(operation.kind) || isUnderWayKind(operation.kind) ? [usageKey(operation.projectId)] : []),
  { table: 'operation', id: operation.id },
  ...(isResourceKind(operation.kind) ? [{ table: 'resource', id: operation.id } as const] : []),
  ...(operation.kind === 'live' ? [{ table: 'liveSession', id: operation.id } as const] : []),
  ...(operation.identity === null
    ? []
    : [{ table: 'identity', id: identityId(operation.projectId, operation.identity) } as const]),
];

// G48
/** Takes back a registration that the ledger refused, unless another process has decided the operation: nothing stays registered. */
export const unregister = (operation: OperationRecord, uncounted: Uncounted | null = null): Step<'gone' | 'kept'> => ({
  keys: unregisterKeys(operation, uncounted),
  decide: (records) => {
    const current = records.get('operation', operation.id);
    if (current === undefined) return { writes: [], answer: 'gone' };
    if (current.state !== 'preparing' || current.owner !== operation.owner) return { writes: [], answer: 'kept' };
    const writes: Write[] = [{ kind: 'delete', table: 'operation', id: operation.id }];
    if (isResourceKind(operation.kind)) writes.push({ kind: 'delete', table: 'resource', id: operation.id });
    if (operation.kind === 'live') writes.push({ kind: 'delete', table: 'liveSession', id: operation.id });
    writes.push(...uncountWrites(records, uncounted));
    writes.push(...uncountOperation(records, current));
    writes.push(...spendWrites(records, current, { holdMicros: 0n, chargedMicros: 0n }));
    if (operation.identity !== null) {
      const id = identityId(operation.projectId, operation.identity);
      if (records.get('identity', id)?.operationId === operation.id)
        writes.push({ kind: 'delete', table: 'identity', id });
    }
    return { writes, answer: 'gone' };
  },
});
