import { isRecord, type JsonRecord } from '@tollgate/contract';
import type { HostEventRecord } from '@tollgate/storage';
import type { HostEvent, HostEventContext, HostHooks } from './host-hooks.ts';

const textAt = (facts: JsonRecord, name: string): string | null => {
  const value = facts[name];
  return typeof value === 'string' ? value : null;
};

const microsAt = (facts: JsonRecord, name: string): bigint => BigInt(textAt(facts, name) ?? '0');

const tagsAt = (facts: JsonRecord): HostEvent['tags'] => {
  const tags = facts['tags'];
  if (!isRecord(tags)) return null;
  return Object.fromEntries(
    Object.entries(tags).flatMap(([name, text]) => (typeof text === 'string' ? [[name, text]] : [])),
  );
};

const toEvent = ({ id, accountId, operationId, createdAtMs }: HostEventRecord, facts: JsonRecord): HostEvent => ({
  id,
  accountId,
  requestId: operationId,
  projectId: textAt(facts, 'projectId'),
  keyId: textAt(facts, 'keyId'),
  operationKind: textAt(facts, 'operationKind'),
  model: textAt(facts, 'model'),
  askedModel: textAt(facts, 'askedModel'),
  chargedMicros: microsAt(facts, 'chargedMicros'),
  balanceMicros: textAt(facts, 'balanceMicros') === null ? null : microsAt(facts, 'balanceMicros'),
  tags: tagsAt(facts),
  atMs: createdAtMs,
});

/** How a stored event is handed to the function that takes events of its kind; null where the process has none. */
export const hookCallOf = (
  hooks: HostHooks,
  record: HostEventRecord,
): ((context: HostEventContext) => unknown) | null => {
  const facts: JsonRecord = isRecord(record.facts) ? record.facts : {};
  const event = toEvent(record, facts);
  const { settled, low_balance: low, threshold, uncertain, anomaly } = hooks;
  const thresholdMicros = microsAt(facts, 'thresholdMicros');
  const toppedMicros = microsAt(facts, 'toppedMicros');
  const heldMicros = microsAt(facts, 'heldMicros');
  const isPaymentPending = facts['isPaymentPending'] === true;
  const code = textAt(facts, 'code') ?? '';
  switch (record.kind) {
    case 'settled':
      return settled === undefined ? null : (context) => settled(event, context);
    case 'low_balance':
      return low === undefined ? null : (context) => low({ ...event, thresholdMicros }, context);
    case 'threshold':
      return threshold === undefined
        ? null
        : (context) => threshold({ ...event, share: Number(facts['share']), toppedMicros }, context);
    case 'uncertain':
      return uncertain === undefined
        ? null
        : (context) => uncertain({ ...event, heldMicros, isPaymentPending }, context);
    case 'anomaly':
      return anomaly === undefined ? null : (context) => anomaly({ ...event, code, detail: facts['detail'] }, context);
    default:
      return null;
  }
};
