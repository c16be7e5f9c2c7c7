import type { OperationRecord } from '@tollgate/storage';
import { usageUnits } from '@tollgate/provider';
import { failCommand, measuredMicros, settleCommand } from '../conclude.ts';
import type { Engine } from '../engine.ts';
import { readOperation } from './statements.ts';

/** What an operator or a reconciler found out about an uncertain operation. */
export type Verdict =
  | { readonly executed: false }
  /** Without an amount, the one that was measured and is waiting for balance, or what was measured of the parts that are known. */
  | { readonly executed: true; readonly amountMicros?: bigint };

export type ResolveAnswer =
  | { readonly kind: 'resolved'; readonly operation: OperationRecord }
  /** Free balance still does not cover the amount. */
  | { readonly kind: 'pending'; readonly operation: OperationRecord }
  /** It is not uncertain, and stays as it is. */
  | { readonly kind: 'not_uncertain'; readonly operation: OperationRecord }
  | { readonly kind: 'amount_needed' }
  | { readonly kind: 'missing' };

const charge = async (engine: Engine, operation: OperationRecord, micros: bigint): Promise<ResolveAnswer> => {
  const answer = await engine.money.settle(settleCommand(engine, operation, micros, null));
  switch (answer.kind) {
    case 'settled':
      return { kind: 'resolved', operation: answer.operation };
    case 'pending':
      return { kind: 'pending', operation: answer.operation };
    case 'ended':
      return { kind: 'not_uncertain', operation: answer.operation };
    case 'missing':
      return { kind: 'missing' };
  }
};

const refuse = async (engine: Engine, operation: OperationRecord): Promise<ResolveAnswer> => {
  const answer = await engine.money.fail(failCommand(engine, operation, 'request_failed', null));
  switch (answer.kind) {
    case 'failed':
      return { kind: 'resolved', operation: answer.operation };
    case 'ended':
    case 'lost':
    case 'captured':
      return { kind: 'not_uncertain', operation: answer.operation };
    case 'missing':
      return { kind: 'missing' };
  }
};

/** What was measured of an operation whose rest is unknown, such as a batch with an item that nobody can tell of; else null. */
const knownMicros = (engine: Engine, operation: OperationRecord): bigint | null => {
  const usage = (operation.usage ?? []).flatMap(({ unit, quantity }) => {
    const known = usageUnits.find((candidate) => candidate === unit);
    return known === undefined ? [] : [{ unit: known, quantity, confirmed: true }];
  });
  return measuredMicros(engine, operation, usage);
};

/** Decides an uncertain operation: settled with a measure, or failed with its hold freed (requests:move:uncertain-resolved). */
export const resolveOperation = async (engine: Engine, id: string, verdict: Verdict): Promise<ResolveAnswer> => {
  const operation = await readOperation(engine, id);
  if (operation === null) return { kind: 'missing' };
  if (operation.state !== 'uncertain') return { kind: 'not_uncertain', operation };
  if (!verdict.executed) return refuse(engine, operation);
  const micros = verdict.amountMicros ?? operation.pendingMicros ?? knownMicros(engine, operation);
  if (micros === null) return { kind: 'amount_needed' };
  if (micros < 0n) throw new RangeError('an amount is not negative');
  return charge(engine, operation, micros);
};
