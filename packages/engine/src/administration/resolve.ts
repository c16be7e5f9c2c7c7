import type { OperationRecord, UsageRecord } from '@tollgate/storage';
import { failCommand, settleCommand } from '../operations/conclude.ts';
import {
  isSameVerdict,
  judgeVerdict,
  type JudgedVerdict,
  type Verdict,
  type VerdictDraft,
  type VerdictFacts,
  type VerdictNote,
} from '../decisions/verdict.ts';
import type { Measure } from '../decisions/carry.ts';
import type { Engine } from '../engine.ts';
import { findPrices } from '../ledger/tariff.ts';
import { checkVerdict, checkVerdictNote } from './check-verdict.ts';
import { itemsOf, knownUsageOf, partsOf, type OperationPart } from './operation-parts.ts';
import { readOperation } from './operation-lists.ts';
import { readTariff } from './tariffs.ts';
import { verdictPrices, verdictPricesOfBatch } from './verdict-prices.ts';

/** What became of a verdict. */
export type ResolveAnswer =
  /** Decided so, now or before: `repeated` changed nothing. */
  | { readonly kind: 'resolved'; readonly operation: OperationRecord; readonly repeated: boolean }
  /** Free balance still does not cover the amount. */
  | { readonly kind: 'pending'; readonly operation: OperationRecord }
  /** Another verdict came before, and stays. */
  | { readonly kind: 'decided_otherwise'; readonly operation: OperationRecord }
  /** It is not uncertain, no verdict was given, and it stays as it is. */
  | { readonly kind: 'not_uncertain'; readonly operation: OperationRecord }
  /** The verdict cannot be carried out as it is. */
  | Exclude<JudgedVerdict, { readonly kind: 'judged' }>
  | { readonly kind: 'missing' };

interface Resolving {
  readonly engine: Engine;
  readonly operation: OperationRecord;
  readonly verdict: Verdict;
}

/** What an operation that has ended says of this verdict. */
const compare = (
  { verdict }: Pick<Resolving, 'verdict'>,
  operation: OperationRecord,
  repeated: boolean,
): ResolveAnswer => {
  if (operation.verdict === null) return { kind: 'not_uncertain', operation };
  return isSameVerdict(operation.verdict, verdict, operation)
    ? { kind: 'resolved', operation, repeated }
    : { kind: 'decided_otherwise', operation };
};

const charge = async (resolving: Resolving, draft: VerdictDraft, measure: Measure): Promise<ResolveAnswer> => {
  const { engine, operation } = resolving;
  const answer = await engine.operationLedger.settle({
    ...settleCommand(engine, operation, { ...measure, isFixed: true }, null),
    verdict: draft,
  });
  switch (answer.kind) {
    case 'settled':
      return compare(resolving, answer.operation, false);
    case 'pending':
      return { kind: 'pending', operation: answer.operation };
    case 'ended':
      return compare(resolving, answer.operation, true);
    case 'missing':
      return { kind: 'missing' };
  }
};

const release = async (resolving: Resolving, draft: VerdictDraft): Promise<ResolveAnswer> => {
  const { engine, operation } = resolving;
  const command = failCommand(engine, operation, 'request_failed', null);
  const answer = await engine.operationLedger.fail({ ...command, verdict: draft });
  switch (answer.kind) {
    case 'failed':
      return compare(resolving, answer.operation, false);
    case 'ended':
      return compare(resolving, answer.operation, true);
    case 'lost':
    case 'captured':
      return { kind: 'not_uncertain', operation: answer.operation };
    case 'missing':
      return { kind: 'missing' };
  }
};

const factsOf = async ({ engine, operation, verdict }: Resolving): Promise<VerdictFacts> => {
  const tariff = await readTariff(engine, operation.tariffVersion);
  const prices = tariff === null ? null : findPrices(tariff, operation);
  const parts = 'parts' in verdict ? await partsOf(engine, operation) : [];
  return {
    operation,
    unknownParts: parts.filter(({ state }) => state === 'unknown').map(({ part }) => part),
    knownUsage: knownUsageOf(operation),
    ...(operation.kind === 'batch'
      ? verdictPricesOfBatch(prices, await itemsOf(engine, operation))
      : verdictPrices(prices, operation)),
  };
};

/** What a verdict comes to, without carrying it out. */
export const judgeOperation = async (
  engine: Engine,
  operation: OperationRecord,
  verdict: Verdict,
  note: VerdictNote = {},
): Promise<JudgedVerdict> => judgeVerdict(await factsOf({ engine, operation, verdict }), verdict, note);

// requests:move:uncertain-resolved
/**
 * Decides an uncertain operation: settled with what was found out, or failed with its hold freed
 *. The same verdict again changes nothing; another one is refused. Throws a RangeError for
 * a verdict or a note that is none.
 */
export const resolveOperation = async (
  engine: Engine,
  id: string,
  verdict: Verdict,
  note: VerdictNote = {},
): Promise<ResolveAnswer> => {
  checkVerdict(verdict);
  checkVerdictNote(note);
  const operation = await readOperation(engine, id);
  if (operation === null) return { kind: 'missing' };
  const resolving = { engine, operation, verdict };
  if (operation.state !== 'uncertain') return compare(resolving, operation, true);
  const judged = await judgeOperation(engine, operation, verdict, note);
  if (judged.kind !== 'judged') return judged;
  const { draft, measure } = judged;
  return draft.kind === 'release' ? release(resolving, draft) : charge(resolving, draft, measure);
};

/** What a verdict would come to; nothing is carried out. */
export type VerdictPreview =
  | Exclude<JudgedVerdict, { readonly kind: 'judged' }>
  | { readonly kind: 'judged'; readonly amountMicros: bigint; readonly usage: readonly UsageRecord[] | null }
  /** It is not uncertain. */
  | { readonly kind: 'not_uncertain'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

/** What a verdict on an uncertain operation would charge, without carrying it out. Throws a RangeError for a verdict that is none. */
export const previewVerdict = async (engine: Engine, id: string, verdict: Verdict): Promise<VerdictPreview> => {
  checkVerdict(verdict);
  const operation = await readOperation(engine, id);
  if (operation === null) return { kind: 'missing' };
  if (operation.state !== 'uncertain') return { kind: 'not_uncertain', operation };
  const judged = await judgeOperation(engine, operation, verdict);
  if (judged.kind !== 'judged') return judged;
  return { kind: 'judged', amountMicros: judged.measure.micros, usage: judged.draft.usage };
};

/** The parts of an operation, with what is known of each; null where there is no such operation. */
export const listParts = async (engine: Engine, id: string): Promise<readonly OperationPart[] | null> => {
  const operation = await readOperation(engine, id);
  return operation === null ? null : partsOf(engine, operation);
};
