import { defaultQuotas } from '../../packages/engine/src/decisions/quotas.ts';
import type { Decide } from '@tollgate/storage';
import type { ConcludeDeliveryCommand } from '../../packages/engine/src/decisions/delivery.ts';
import type {
  ChangeTriggerCommand,
  ConcludeOccurrenceCommand,
  CreateTriggerCommand,
  OccurAnswer,
} from '../../packages/engine/src/decisions/trigger.ts';
import type { ChangeWebhookAnswer, ChangeWebhookCommand } from '../../packages/engine/src/decisions/webhook.ts';
import type { Decisions } from './decisions.ts';
import { deliveryKeptMs, recheckAfterMs, type EventBody } from './event-command.ts';
import type { Memo } from './memo.ts';
import { notTaken, tell, type ModelStep } from './model-step.ts';
import { refusalsMax } from './reference-events.ts';
import type { Told } from './told.ts';

type Of<K extends EventBody['kind']> = Extract<EventBody, { readonly kind: K }>;

const secretOf = (hookId: string, number: number): string => `${hookId} ${number}`;

const createWebhookStep = (decisions: Decisions, { hookId, projectId, events }: Of<'create_webhook'>): ModelStep => {
  const command = {
    webhookId: hookId,
    projectId,
    url: 'https://a.example/',
    events,
    secret: secretOf(hookId, 0),
    quotas: defaultQuotas,
  };
  return tell(decisions.createWebhook(command), ({ kind }) => ({ text: kind }));
};

const changeOf = ({ hookId, projectId, change, number }: Of<'change_webhook'>): ChangeWebhookCommand => {
  const name = { webhookId: hookId, projectId };
  switch (change) {
    case 'pause':
    case 'resume':
      return { ...name, kind: 'set_enabled', enabled: change === 'resume' };
    case 'delete':
      return { ...name, kind: 'disable' };
    case 'rotate':
      return { ...name, kind: 'rotate', secret: secretOf(hookId, number), overlapMs: 10 };
  }
};

const tellWebhook = (answer: ChangeWebhookAnswer): Told => {
  if (answer === null) return { text: 'none' };
  return { text: answer === 'too_many' ? 'too_many' : `changed ${answer.status}` };
};

const changeWebhookStep = (decisions: Decisions, body: Of<'change_webhook'>): ModelStep => {
  const command = changeOf(body);
  return tell(decisions.changeWebhook(command), tellWebhook);
};

const fanOutStep = (decisions: Decisions, memo: Memo, { claim }: Of<'fan_out'>): ModelStep => {
  const event = memo.events.get(claim);
  if (event === undefined) return notTaken('not_due');
  return tell(decisions.fanOut(event), (count) => ({ text: `fanned ${count}` }));
};

const deliveryOutcome = ({ outcome, retryAfter }: Of<'conclude_delivery'>): ConcludeDeliveryCommand['outcome'] => {
  switch (outcome) {
    case 'acknowledged':
      return { kind: 'acknowledged', httpStatus: 200 };
    case 'refused':
      return { kind: 'refused', httpStatus: 500, retryAfterMs: retryAfter };
    case 'skipped':
      return { kind: 'skipped' };
    case 'postponed':
      return { kind: 'postponed', afterMs: 1_000 };
  }
};

const concludeDeliveryStep = (decisions: Decisions, body: Of<'conclude_delivery'>): ModelStep => {
  const command: ConcludeDeliveryCommand = {
    deliveryId: body.deliveryId,
    claimedBy: body.claim,
    outcome: deliveryOutcome(body),
    random: body.halves / 2,
    keptMs: deliveryKeptMs,
  };
  return tell(decisions.concludeDelivery(command), (delivery) => ({
    text: delivery === null ? 'lost' : `told ${delivery.status} ${delivery.attempts}`,
  }));
};

const redeliverStep = (decisions: Decisions, { deliveryId, hookId }: Of<'redeliver'>): ModelStep =>
  tell(decisions.redeliver({ deliveryId, webhookId: hookId }), (delivery) => ({
    text: delivery === null ? 'none' : 'redelivered',
  }));

const tellGone = (gone: boolean): Told => ({ text: gone ? 'gone' : 'lost' });

const purgeDeliveryStep = (decisions: Decisions, memo: Memo, { claim }: Of<'purge_delivery'>): ModelStep => {
  const claimed = memo.deliveries.get(claim);
  if (claimed === undefined) return notTaken('lost');
  return tell(decisions.purgeDelivery(claimed), tellGone);
};

const createTriggerStep = (decisions: Decisions, body: Of<'create_trigger'>): ModelStep => {
  const { triggerId, projectId, keyId, accountId } = body;
  const command: CreateTriggerCommand = {
    triggerId,
    projectId,
    keyId,
    accountId,
    displayName: null,
    schedule: '*/5 * * * *',
    timeZone: 'UTC',
    interaction: { shown: {}, whole: { kind: 'inline', sealed: '' } },
    quotas: defaultQuotas,
  };
  return tell(decisions.createTrigger(command), () => ({ text: 'created' }));
};

const changeTriggerStep = (decisions: Decisions, { triggerId, projectId, change }: Of<'change_trigger'>): ModelStep => {
  const command: ChangeTriggerCommand =
    change === 'delete'
      ? { triggerId, projectId, kind: 'disable' }
      : { triggerId, projectId, kind: 'set_enabled', enabled: change === 'resume' };
  return tell(decisions.changeTrigger(command), (trigger) => ({
    text: trigger === null ? 'none' : `changed ${trigger.status}`,
  }));
};

const tellOccur = (answer: OccurAnswer): Told => {
  switch (answer.kind) {
    case 'pending':
      return { text: `occurred ${answer.occurrence.scheduledForMs}` };
    case 'skipped':
      return { text: `skipped ${answer.occurrence.scheduledForMs}` };
    case 'missed':
      return { text: `missed ${answer.scheduledForMs}` };
    case 'lost':
      return { text: 'lost' };
  }
};

const occurStep = (decisions: Decisions, memo: Memo, body: Of<'occur'>): ModelStep => {
  const { triggerId, claim, previousPending, operationId } = body;
  const claimed = memo.triggers.get(claim);
  if (claimed === undefined) return notTaken('not_due');
  const command = { claimed, previousPending, operationId };
  const step = decisions.occur(command);
  const decide: Decide<Told> = (records, nowMs) => {
    const { writes, answer } = step.decide(records, nowMs);
    const created = writes.find((write) => write.table === 'occurrence');
    if (created?.kind === 'put') memo.latest.set(triggerId, created.record.id);
    return { writes, answer: tellOccur(answer) };
  };
  return { keys: () => step.keys, decide };
};

const outcomeOf = ({ outcome }: Of<'conclude_occurrence'>, nowMs: number): ConcludeOccurrenceCommand['outcome'] => {
  switch (outcome) {
    case 'opened':
    case 'not_opened':
      return { kind: outcome, recheckAfterMs };
    case 'prevented':
      return { kind: 'prevented', errorCode: 'ai_insufficient_credits' };
    case 'completed':
    case 'failed':
      return { kind: 'ended', status: outcome, errorCode: null, atMs: nowMs };
  }
};

const concludeOccurrenceStep = (decisions: Decisions, memo: Memo, body: Of<'conclude_occurrence'>): ModelStep => {
  const claimed = memo.occurrences.get(body.claim);
  if (claimed === undefined) return notTaken('not_due');
  const commandAt = (nowMs: number) => ({ claimed, refusalsMax, outcome: outcomeOf(body, nowMs) });
  const stepAt = (nowMs: number): ModelStep =>
    tell(decisions.concludeOccurrence(commandAt(nowMs)), (concluded) => ({
      text: concluded === null ? 'lost' : `noted ${concluded.occurrence.status}`,
    }));
  return { keys: stepAt(0).keys, decide: (records, nowMs) => stepAt(nowMs).decide(records, nowMs) };
};

const purgeOccurrenceStep = (decisions: Decisions, memo: Memo, { claim }: Of<'purge_occurrence'>): ModelStep => {
  const claimed = memo.occurrences.get(claim);
  if (claimed === undefined) return notTaken('not_due');
  return tell(decisions.purgeOccurrence(claimed), tellGone);
};

/** The step of a command about webhooks or schedules. */
export const toEventStep = (decisions: Decisions, memo: Memo, body: EventBody): ModelStep => {
  switch (body.kind) {
    case 'create_webhook':
      return createWebhookStep(decisions, body);
    case 'change_webhook':
      return changeWebhookStep(decisions, body);
    case 'fan_out':
      return fanOutStep(decisions, memo, body);
    case 'conclude_delivery':
      return concludeDeliveryStep(decisions, body);
    case 'redeliver':
      return redeliverStep(decisions, body);
    case 'purge_delivery':
      return purgeDeliveryStep(decisions, memo, body);
    case 'create_trigger':
      return createTriggerStep(decisions, body);
    case 'change_trigger':
      return changeTriggerStep(decisions, body);
    case 'occur':
      return occurStep(decisions, memo, body);
    case 'conclude_occurrence':
      return concludeOccurrenceStep(decisions, memo, body);
    case 'purge_occurrence':
      return purgeOccurrenceStep(decisions, memo, body);
  }
};
