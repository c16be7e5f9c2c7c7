import type { Decide, OperationRecord, UsageRecord } from '@tollgate/storage';
import { fixedMeasure, pendingMeasure, type Measure } from '../../packages/engine/src/decisions/carry.ts';
import type { Verdict } from '../../packages/engine/src/decisions/verdict.ts';
import type { CommandBody } from './command.ts';
import type { Decisions } from './decisions.ts';
import { failCommand, settleCommand, tokensOf } from './ending-command.ts';
import { tell, type ModelStep } from './model-step.ts';
import { tellFail, tellSettle, type Told } from './told.ts';

type Of<K extends CommandBody['kind']> = Extract<CommandBody, { readonly kind: K }>;

const verdictOf = ({ verdict, measured }: Of<'resolve'>): Verdict => {
  switch (verdict) {
    case 'failed':
      return { executed: false };
    case 'executed':
      return { executed: true, ...(measured === null ? {} : { amountMicros: BigInt(measured) }) };
    case 'measured':
      return { executed: true, usage: tokensOf(measured ?? 0) };
    case 'at_least':
      return { executed: true, usage: 'at_least' };
  }
};

/** A token costs a micro-credit. */
const priceOfTokens = (usage: readonly UsageRecord[]): Measure =>
  fixedMeasure(BigInt(usage.reduce((sum, { quantity }) => sum + quantity, 0)));

const toldAgain = (decisions: Decisions, operation: OperationRecord, verdict: Verdict): string => {
  if (operation.verdict === null) return 'not_uncertain';
  return decisions.sameVerdict(operation.verdict, verdict, operation) ? 'repeated' : 'decided_otherwise';
};

/** An operator's verdict, as the administration gives it: only on an operation that is uncertain now. */
export const resolveStep = (decisions: Decisions, body: Of<'resolve'>): ModelStep => {
  const { slot, anomalyId } = body;
  const command = settleCommand({ slot, measured: 0, overrun: 'pending', anomalyId }, null);
  const verdict = verdictOf(body);
  const decide: Decide<Told> = (records, nowMs) => {
    const operation = records.get('operation', slot.operationId);
    if (operation === undefined) return { writes: [], answer: { text: 'not_uncertain' } };
    if (operation.state !== 'uncertain')
      return { writes: [], answer: { text: toldAgain(decisions, operation, verdict) } };
    const priceParts = (said: readonly { readonly usage: readonly UsageRecord[] }[]): Measure =>
      priceOfTokens(said.flatMap(({ usage }) => usage));
    const facts = { operation, unknownParts: [], knownUsage: [], price: priceOfTokens, priceParts };
    const judged = decisions.judge(facts, verdict, { by: 'operator', reference: 'bill' });
    if (judged.kind !== 'judged') return { writes: [], answer: { text: judged.kind } };
    const { draft, measure } = judged;
    if (draft.kind === 'release')
      return tell(decisions.fail({ ...failCommand({ slot, anomalyId }), verdict: draft }), tellFail).decide(
        records,
        nowMs,
      );
    const { micros: measuredMicros, fractionPicos } = measure;
    const settled = decisions.settle({ ...command, measuredMicros, fractionPicos, isFixed: true, verdict: draft });
    return tell(settled, tellSettle).decide(records, nowMs);
  };
  return { keys: () => decisions.settle(command).keys, decide };
};

/** As a sweep or a deposit tries it. */
export const retryStep = (decisions: Decisions, { slot, anomalyId }: Of<'retry'>): ModelStep => {
  const command = settleCommand({ slot, measured: 0, overrun: 'pending', anomalyId }, null);
  const decide: Decide<Told> = (records, nowMs) => {
    const operation = records.get('operation', slot.operationId);
    const pending = operation === undefined ? null : pendingMeasure(operation);
    if (pending === null) return { writes: [], answer: { text: 'not_pending' } };
    const { micros: measuredMicros, ...rest } = pending;
    return tell(decisions.settle({ ...command, measuredMicros, ...rest }), tellSettle).decide(records, nowMs);
  };
  return { keys: () => decisions.settle(command).keys, decide };
};
