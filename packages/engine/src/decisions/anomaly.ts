import type { AnomalyRecord, Key, OperationRecord, Records, Write } from '@tollgate/storage';
import { hostEventWrites, type HostEvents } from './host-event.ts';

/** Declared although it is only appended: a step sent again after an unconfirmed commit must find what it wrote. */
export const anomalyKey = (id: string): Key => ({ table: 'anomaly', id, fresh: true });

interface AnomalyInput {
  readonly id: string;
  readonly code: string;
  readonly detail: unknown;
  readonly nowMs: number;
  readonly hostEvents: HostEvents | undefined;
}

/** Evidence that came after the decision and says otherwise; written once, however often it comes. */
export const anomalyWrites = (
  records: Records,
  operation: OperationRecord,
  { hostEvents, ...input }: AnomalyInput,
): readonly Write[] => {
  if (records.get('anomaly', input.id) !== undefined) return [];
  const record: AnomalyRecord = {
    id: input.id,
    operationId: operation.id,
    accountId: operation.accountId,
    code: input.code,
    detail: input.detail,
    createdAtMs: input.nowMs,
  };
  const { code, detail, nowMs } = input;
  const told = { kind: 'anomaly', accountId: operation.accountId, operation, balanceMicros: null, nowMs } as const;
  return [
    { kind: 'append', table: 'anomaly', record },
    ...hostEventWrites(hostEvents, { ...told, more: { code, detail } }),
  ];
};
