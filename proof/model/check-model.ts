import type { OperationRecord, UsageRecord, VerdictRecord } from '@tollgate/storage';
import type { RecordMap } from './record-map.ts';
import { reservedOf, type Model, type ModelOperation } from './model.ts';
import { slotsOf, walletIdOf, type ObservedStep } from './observed-step.ts';
import { found, type Found } from './violation.ts';

const sameAmount = (amount: bigint | null, number: number | null): boolean =>
  amount === null || number === null ? amount === number : amount === BigInt(number);

const sumOf = (usage: readonly UsageRecord[]): number => usage.reduce((sum, { quantity }) => sum + quantity, 0);

/** A verdict in the words of the reference model. */
const wordsOf = (verdict: VerdictRecord | null): string | null => {
  if (verdict === null) return null;
  return verdict.usage === null ? `${verdict.kind} ${verdict.amountMicros}` : `measured ${sumOf(verdict.usage)}`;
};

const differing = (record: OperationRecord, model: ModelOperation): string | null => {
  if (record.state !== model.state) return `state ${record.state} for ${model.state}`;
  if (!sameAmount(record.holdMicros, model.hold)) return `hold ${record.holdMicros} for ${model.hold}`;
  if (!sameAmount(record.chargedMicros, model.charged)) return `charged ${record.chargedMicros} for ${model.charged}`;
  if (!sameAmount(record.pendingMicros, model.pending)) return `pending ${record.pendingMicros} for ${model.pending}`;
  if (!sameAmount(record.absorbedMicros, model.absorbed))
    return `absorbed ${record.absorbedMicros} for ${model.absorbed}`;
  if (record.carriedPicos !== model.carried) return `carried ${record.carriedPicos} for ${model.carried}`;
  if (record.captures !== model.captures) return `captures ${record.captures} for ${model.captures}`;
  if (record.answer !== model.answer) return `answer ${record.answer} for ${model.answer}`;
  const atLeast = record.usageAtLeast === null ? null : sumOf(record.usageAtLeast);
  if (atLeast !== model.atLeast) return `at least ${atLeast} for ${model.atLeast}`;
  const verdict = wordsOf(record.verdict);
  if (verdict !== model.verdict) return `verdict ${verdict} for ${model.verdict}`;
  if (record.dueAtMs !== model.due) return `due ${record.dueAtMs} for ${model.due}`;
  return record.owner === model.owner ? null : `owner ${record.owner} for ${model.owner}`;
};

const checkOperation = (map: RecordMap, model: Model, id: string): Found => {
  const record = map.records.get('operation', id);
  const expected = model.operations.get(id);
  if (record === undefined || expected === undefined)
    return (record === undefined) === (expected === undefined)
      ? null
      : found('records_as_the_model', `operation ${id} is ${record === undefined ? 'missing' : 'there'}`);
  const difference = differing(record, expected);
  return difference === null ? null : found('records_as_the_model', `operation ${id}: ${difference}`);
};

const checkWallet = (map: RecordMap, model: Model, id: string): Found => {
  const wallet = map.records.get('wallet', id) ?? {
    balanceMicros: 0n,
    reservedMicros: 0n,
    seq: 0,
    entrySeq: 0,
    remainderPicos: 0,
    purgedPicos: 0,
  };
  const account = model.accounts.get(id);
  const same =
    account !== undefined &&
    sameAmount(wallet.balanceMicros, account.balance) &&
    sameAmount(wallet.reservedMicros, reservedOf(model, id)) &&
    wallet.seq === account.seq &&
    wallet.entrySeq === account.entries &&
    wallet.remainderPicos === account.remainder &&
    wallet.purgedPicos === account.forgotten;
  const { balanceMicros, reservedMicros, seq, entrySeq, remainderPicos, purgedPicos } = wallet;
  return same
    ? null
    : found(
        'records_as_the_model',
        `wallet ${id}: ${balanceMicros} ${reservedMicros} ${seq} ${entrySeq} ${remainderPicos} ${purgedPicos}`,
      );
};

/** Everything that is reported of a record must be what is on record. */
export const checkTold = ({ told, map }: ObservedStep): Found => {
  const { operation, wallet } = told;
  if (operation !== undefined && map.records.get('operation', operation.id) !== operation)
    return found('tells_what_is_on_record', `operation ${operation.id}`);
  if (wallet === undefined) return null;
  const record = map.records.get('wallet', wallet.id);
  return record === undefined || record === wallet ? null : found('tells_what_is_on_record', `wallet ${wallet.id}`);
};

/** Compares what a step has touched with the reference model, after both have taken it. */
export const checkModel = (step: ObservedStep, model: Model, expected: string): Found => {
  const { body } = step.command;
  if (step.told.text !== expected)
    return found('answers_as_the_model', `told "${step.told.text}", expected "${expected}"`);
  for (const { operationId } of slotsOf(body)) {
    const wrong = checkOperation(step.map, model, operationId);
    if (wrong !== null) return wrong;
  }
  const anomalies = step.map.tables.get('anomaly')?.size ?? 0;
  if (anomalies !== model.anomalies.size)
    return found('records_as_the_model', `${anomalies} anomalies for ${model.anomalies.size}`);
  const wallet = walletIdOf(body);
  return wallet === null ? null : checkWallet(step.map, model, wallet);
};
