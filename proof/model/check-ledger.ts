import type { OperationRecord } from '@tollgate/storage';
import { slotsOf, walletIdOf, type ObservedStep } from './observed-step.ts';
import { found, type Found } from './violation.ts';

const checkSums = ({ map, book }: ObservedStep, accountId: string): Found => {
  const wallet = map.records.get('wallet', accountId);
  if (wallet === undefined) return null;
  const entries = book.entrySums.get(accountId) ?? 0n;
  if (entries !== wallet.balanceMicros)
    return found('entries_sum_to_balance', `entries ${entries}, balance ${wallet.balanceMicros}`);
  if ((book.entryCounts.get(accountId) ?? 0) !== wallet.entrySeq)
    return found('entries_gap_free', `the wallet counts ${wallet.entrySeq}`);
  let held = 0n;
  let carried = wallet.purgedPicos;
  for (const record of map.tables.get('operation')?.values() ?? []) {
    // The table of operations holds nothing else.
    const operation = record as OperationRecord;
    if (operation.accountId !== accountId) continue;
    held += operation.holdMicros;
    if (operation.state === 'completed') carried += operation.carriedPicos;
  }
  if (carried !== wallet.remainderPicos)
    return found('remainder_is_carried', `carried ${carried}, remainder ${wallet.remainderPicos}`);
  return held === wallet.reservedMicros
    ? null
    : found('holds_sum_to_reserved', `holds ${held}, reserved ${wallet.reservedMicros}`);
};

const checkDebits = ({ book }: ObservedStep, operation: OperationRecord): Found => {
  const debits = book.debits.get(operation.id) ?? { count: 0, sum: 0n };
  if (operation.state === 'failed' && (debits.count > 0 || operation.chargedMicros > 0n))
    return found('no_debit_on_failed', `${operation.id}: ${debits.sum}`);
  if (debits.count > operation.captures + 1)
    return found(
      'one_debit_without_captures',
      `${operation.id}: ${debits.count} debits, ${operation.captures} captures`,
    );
  return debits.sum === operation.chargedMicros
    ? null
    : found('debits_match_charge', `${operation.id}: debits ${debits.sum}, charged ${operation.chargedMicros}`);
};

const checkOperation = (step: ObservedStep, operationId: string): Found => {
  const { map } = step;
  const operation = map.records.get('operation', operationId);
  const stored = map.records.get('answer', operationId) !== undefined;
  if (stored !== (operation?.answer === 'stored'))
    return found('answer_stored_as_told', `${operationId} says ${operation?.answer ?? 'nothing'}`);
  if (operation === undefined) return null;
  const ended = operation.state === 'completed' || operation.state === 'failed';
  if (ended && operation.holdMicros !== 0n) return found('no_hold_on_ended', `${operationId}: ${operation.holdMicros}`);
  return checkDebits(step, operation);
};

/** Looks at the records that a step has touched, after it was applied. */
export const checkLedger = (step: ObservedStep): Found => {
  const { body } = step.command;
  const accountId = walletIdOf(body);
  for (const { operationId } of slotsOf(body)) {
    const wrong = checkOperation(step, operationId);
    if (wrong !== null) return wrong;
  }
  const owner = accountId ?? slotsOf(body)[0]?.accountId;
  return owner === undefined ? null : checkSums(step, owner);
};
