import { deliveryKeptMs, everyMs, eventIdOf, recheckAfterMs, type EventBody } from './event-command.ts';
import type {
  Model,
  ModelDelivery,
  ModelHook,
  ModelOccurrence,
  ModelOperation,
  ModelTrigger,
  Moment,
} from './model.ts';

type Of<K extends EventBody['kind']> = Extract<EventBody, { readonly kind: K }>;

/** The event of an operation that ends now, for the webhooks that are enabled for it now. */
export const tellEvent = (model: Model, { slot, state }: ModelOperation, { ms }: Moment): void => {
  const type = state === 'failed' ? 'request.failed' : 'request.completed';
  const enabled = model.subscriptions.get(slot.projectId) ?? [];
  const hooks = enabled.filter((id) => model.hooks.get(id)?.events.includes(type) === true);
  if (hooks.length > 0) model.outbox.set(slot.operationId, { type, hooks, owner: null, due: ms });
};

const subscribe = (model: Model, id: string, { projectId, status }: ModelHook): void => {
  const others = (model.subscriptions.get(projectId) ?? []).filter((other) => other !== id);
  model.subscriptions.set(projectId, status === 'enabled' ? [...others, id] : others);
};

const createWebhook = (model: Model, { hookId, projectId, events }: Of<'create_webhook'>): string => {
  if (model.hooks.has(hookId)) return 'created';
  const hook: ModelHook = { projectId, events, status: 'enabled', secret: `${hookId} 0`, previous: null };
  model.hooks.set(hookId, hook);
  subscribe(model, hookId, hook);
  return 'created';
};

const changeWebhook = (model: Model, { hookId, projectId, change, number }: Of<'change_webhook'>): string => {
  const hook = model.hooks.get(hookId);
  if (hook === undefined || hook.projectId !== projectId || hook.status === 'disabled') return 'none';
  const secret = `${hookId} ${number}`;
  if (change === 'rotate' && hook.secret !== secret) Object.assign(hook, { previous: hook.secret, secret });
  if (change === 'pause') hook.status = 'paused';
  if (change === 'resume') hook.status = 'enabled';
  if (change === 'delete') hook.status = 'disabled';
  subscribe(model, hookId, hook);
  return `changed ${hook.status}`;
};

const fanOut = (model: Model, { slot, claim }: Of<'fan_out'>, { ms }: Moment): string => {
  const event = model.outbox.get(slot.operationId);
  if (!model.claims.has(`outbox ${claim}`)) return 'not_due';
  if (event === undefined || event.owner !== claim) return 'fanned 0';
  const fresh = event.hooks
    .map((hook) => `${eventIdOf(slot.operationId)}:${hook}`)
    .filter((id) => !model.deliveries.has(id));
  for (const id of fresh) model.deliveries.set(id, { status: 'pending', attempts: 0, owner: null, due: ms });
  model.outbox.delete(slot.operationId);
  return `fanned ${fresh.length}`;
};

const [second, minute, hour] = [1_000, 60_000, 3_600_000];
const waits = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];
const triesMax = 8;

const concludeDelivery = (model: Model, body: Of<'conclude_delivery'>, { ms }: Moment): string => {
  const delivery = model.deliveries.get(body.deliveryId);
  if (delivery?.status !== 'pending' || delivery.owner !== body.claim) return 'lost';
  delivery.owner = null;
  if (body.outcome === 'postponed') {
    delivery.due = ms + second;
    return `told pending ${delivery.attempts}`;
  }
  if (body.outcome !== 'skipped') delivery.attempts += 1;
  if (body.outcome === 'refused' && delivery.attempts < triesMax) {
    const wait = (waits[delivery.attempts - 1] ?? 0) * (body.halves === 0 ? 0.9 : 1);
    delivery.due = ms + Math.max(wait, Math.min(body.retryAfter ?? 0, 10 * hour));
    return `told pending ${delivery.attempts}`;
  }
  const ends = { acknowledged: 'delivered', refused: 'failed', skipped: 'skipped' } as const;
  Object.assign(delivery, { status: ends[body.outcome], due: ms + deliveryKeptMs });
  return `told ${delivery.status} ${delivery.attempts}`;
};

const redeliver = (model: Model, { deliveryId, hookId }: Of<'redeliver'>, { ms }: Moment): string => {
  const delivery = model.deliveries.get(deliveryId);
  if (delivery === undefined || !deliveryId.endsWith(`:${hookId}`)) return 'none';
  if (delivery.status === 'pending') return 'redelivered';
  Object.assign(delivery, { status: 'pending', attempts: 0, owner: null, due: ms });
  return 'redelivered';
};

const purgeDelivery = (model: Model, { deliveryId, claim }: Of<'purge_delivery'>): string => {
  const delivery: ModelDelivery | undefined = model.deliveries.get(deliveryId);
  if (delivery === undefined || delivery.status === 'pending' || delivery.owner !== claim) return 'lost';
  model.deliveries.delete(deliveryId);
  return 'gone';
};

const nextAfter = (ms: number): number => (Math.floor(ms / everyMs) + 1) * everyMs;

const createTrigger = (model: Model, { triggerId, projectId }: Of<'create_trigger'>, { ms }: Moment): string => {
  if (model.triggers.has(triggerId)) return 'created';
  const next = nextAfter(ms);
  model.triggers.set(triggerId, {
    projectId,
    status: 'enabled',
    next,
    last: null,
    refusals: 0,
    owner: null,
    due: next,
  });
  return 'created';
};

const changeTrigger = (
  model: Model,
  { triggerId, projectId, change }: Of<'change_trigger'>,
  { ms }: Moment,
): string => {
  const trigger = model.triggers.get(triggerId);
  if (trigger === undefined || trigger.projectId !== projectId || trigger.status === 'disabled') return 'none';
  if (change === 'resume') {
    if (trigger.status === 'paused')
      Object.assign(trigger, { status: 'enabled', next: nextAfter(ms), due: nextAfter(ms), refusals: 0 });
  } else {
    const status = change === 'pause' ? 'paused' : 'disabled';
    Object.assign(trigger, { status, next: null, due: null, owner: null });
  }
  return `changed ${trigger.status}`;
};

const graceMs = 5 * minute;

const occur = (model: Model, body: Of<'occur'>, { ms }: Moment): string => {
  // A claim of a schedule has a name of its own.
  const claimed = model.claims.get(`trigger ${body.claim}`) as ModelTrigger | undefined;
  const trigger = model.triggers.get(body.triggerId);
  if (claimed === undefined) return 'not_due';
  const isOurs = trigger?.status === 'enabled' && trigger.owner === body.claim && trigger.next === claimed.next;
  if (trigger === undefined || !isOurs || claimed.next === null) return 'lost';
  const scheduled = claimed.next;
  const next = nextAfter(ms);
  Object.assign(trigger, { next, due: next, owner: null });
  if (ms - scheduled > graceMs) return `missed ${scheduled}`;
  const id = `${body.triggerId}:${scheduled}`;
  const known = model.occurrences.get(id);
  const status = known?.status ?? (body.previousPending ? 'skipped' : 'pending');
  if (status !== 'skipped') trigger.last = scheduled;
  if (known === undefined) {
    const fresh: ModelOccurrence = {
      triggerId: body.triggerId,
      scheduled,
      status,
      operationId: status === 'skipped' ? null : body.operationId,
      owner: null,
      due: status === 'skipped' ? ms + keptMs : ms,
    };
    model.occurrences.set(id, fresh);
    model.latest.set(body.triggerId, id);
  }
  return `${status === 'skipped' ? 'skipped' : 'occurred'} ${scheduled}`;
};

const keptMs = 30 * 24 * hour;

const hasEnded = ({ status }: ModelOccurrence): boolean =>
  status === 'completed' || status === 'failed' || status === 'skipped';

interface ClaimedOccurrence {
  readonly id: string;
}

/** Two refusals in a row pause a schedule. */
export const refusalsMax = 2;

const countRefusal = (
  trigger: ModelTrigger | undefined,
  { isRefused, isOpened }: { readonly isRefused: boolean; readonly isOpened: boolean },
): void => {
  if (trigger?.status !== 'enabled') return;
  if (isOpened) trigger.refusals = 0;
  if (!isRefused) return;
  trigger.refusals += 1;
  if (trigger.refusals === refusalsMax)
    Object.assign(trigger, { status: 'paused', next: null, due: null, owner: null });
};

const concludeOccurrence = (model: Model, body: Of<'conclude_occurrence'>, { ms }: Moment): string => {
  // A claim of an occurrence has a name of its own.
  const claimed = model.claims.get(`occurrence ${body.claim}`) as ClaimedOccurrence | undefined;
  if (claimed === undefined) return 'not_due';
  const occurrence = model.occurrences.get(claimed.id);
  if (occurrence === undefined || hasEnded(occurrence) || occurrence.owner !== body.claim) return 'lost';
  const isOpen = occurrence.operationId !== null && model.operations.has(occurrence.operationId);
  const late = ms - occurrence.scheduled > graceMs;
  const failedTo = isOpen ? 'opened' : late ? 'prevented' : 'not_opened';
  // What is there is there, whatever the records say; and what is not is not.
  const isTold = body.outcome === 'completed' || body.outcome === 'failed' || (body.outcome === 'prevented' && !isOpen);
  const outcome = isTold ? body.outcome : failedTo;
  occurrence.owner = null;
  if (outcome === 'opened' || outcome === 'not_opened') {
    occurrence.due = body.outcome === 'prevented' ? ms : ms + recheckAfterMs;
    occurrence.status = outcome === 'opened' ? 'processing' : 'pending';
  } else {
    occurrence.due = ms + keptMs;
    occurrence.status = outcome === 'completed' ? 'completed' : 'failed';
    if (outcome === 'prevented') occurrence.operationId = null;
  }
  countRefusal(model.triggers.get(occurrence.triggerId), {
    isRefused: body.outcome === 'prevented' && outcome === 'prevented',
    isOpened: occurrence.operationId !== null && occurrence.status !== 'pending',
  });
  return `noted ${occurrence.status}`;
};

const purgeOccurrence = (model: Model, { claim }: Of<'purge_occurrence'>): string => {
  const claimed = model.claims.get(`occurrence ${claim}`) as ClaimedOccurrence | undefined;
  if (claimed === undefined) return 'not_due';
  const occurrence = model.occurrences.get(claimed.id);
  if (occurrence === undefined || !hasEnded(occurrence) || occurrence.owner !== claim) return 'lost';
  model.occurrences.delete(claimed.id);
  return 'gone';
};

/** Does what a command about webhooks or schedules says and returns it. */
export const answerEvents = (model: Model, body: EventBody, now: Moment): string => {
  switch (body.kind) {
    case 'create_webhook':
      return createWebhook(model, body);
    case 'change_webhook':
      return changeWebhook(model, body);
    case 'fan_out':
      return fanOut(model, body, now);
    case 'conclude_delivery':
      return concludeDelivery(model, body, now);
    case 'redeliver':
      return redeliver(model, body, now);
    case 'purge_delivery':
      return purgeDelivery(model, body);
    case 'create_trigger':
      return createTrigger(model, body, now);
    case 'change_trigger':
      return changeTrigger(model, body, now);
    case 'occur':
      return occur(model, body, now);
    case 'conclude_occurrence':
      return concludeOccurrence(model, body, now);
    case 'purge_occurrence':
      return purgeOccurrence(model, body);
  }
};
