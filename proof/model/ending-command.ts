import { isResourceKind } from '@tollgate/contract';
import type { AttemptRecord, UsageRecord } from '@tollgate/storage';
import type { FailCommand } from '../../packages/engine/src/decisions/fail.ts';
import { useId } from '../../packages/engine/src/decisions/resource-draft.ts';
import type { Evidence, SettleCommand } from '../../packages/engine/src/decisions/settle.ts';
import { countedUnderWay } from '../../packages/engine/src/decisions/under-way.ts';
import type { CommandBody } from './command.ts';
import { spendsOf } from './cap-step.ts';
import { outboxEventOf } from './outbox-event-of.ts';
import { answerKeptMs, recordKeptMs, retryMs } from './slot.ts';
import { closingOf } from './to-work-step.ts';
import type { Closing } from './work-command.ts';

type Of<K extends CommandBody['kind']> = Extract<CommandBody, { readonly kind: K }>;

const attempts: readonly AttemptRecord[] = [
  { provider: 'p', startedAtMs: 1, durationMs: 1, status: 200, outcome: 'answered' },
];

/** So many tokens of input. */
export const tokensOf = (quantity: number): readonly UsageRecord[] => [{ unit: 'input_text_tokens', quantity }];

/** What an execution leaves behind. */
export const evidenceOf = (answered: boolean, closing: Closing | undefined, atLeast?: number): Evidence => ({
  usage: answered ? tokensOf(1) : null,
  ...(atLeast === undefined ? {} : { usageAtLeast: tokensOf(atLeast) }),
  attempts,
  answer: answered ? { body: '{"text":"hello"}', bytes: 16 } : null,
  toolContexts: [],
  ...(closing === undefined ? {} : { closing: closingOf(closing) }),
});

type SettleInput = Pick<Of<'settle'>, 'slot' | 'measured' | 'overrun' | 'anomalyId' | 'used'> & {
  readonly fraction?: number;
};

/** The command that settles the operation of a slot. */
export const settleCommand = (
  { slot, measured, fraction, overrun, anomalyId, used = [] }: SettleInput,
  evidence: Evidence | null,
): SettleCommand => ({
  operationId: slot.operationId,
  accountId: slot.accountId,
  measuredMicros: BigInt(measured),
  ...(fraction === undefined ? {} : { fractionPicos: fraction }),
  evidence,
  overrun,
  retryMs,
  answerKeptMs,
  anomalyId,
  ...(isResourceKind(slot.kind ?? '') ? { hasResource: true } : {}),
  outboxEvent: outboxEventOf(slot),
  ...countedUnderWay({ kind: slot.kind ?? '', projectId: slot.projectId }),
  uses: used.map((id) => useId(id, slot.operationId)),
  spends: spendsOf(slot),
});

/** The command that fails the operation of a slot. */
export const failCommand = ({
  slot,
  anomalyId,
  owner,
}: Pick<Of<'fail'>, 'slot' | 'anomalyId' | 'owner'>): FailCommand => ({
  operationId: slot.operationId,
  accountId: slot.accountId,
  errorCode: 'service_unavailable',
  attempts: null,
  recordKeptMs,
  anomalyId,
  outboxEvent: outboxEventOf(slot),
  ...countedUnderWay({ kind: slot.kind ?? '', projectId: slot.projectId }),
  spends: spendsOf(slot),
  ...(owner === undefined ? {} : { owner }),
});
