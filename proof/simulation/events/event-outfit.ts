import { defaultBrand } from '@tollgate/contract';
import type { StartScheduledRun, SendOutcome, WebhookSender } from '@tollgate/engine';
import type { DeliveryRecord, OccurrenceRecord, TriggerRecord } from '@tollgate/storage';
import { deliveryId } from '../../../packages/engine/src/decisions/delivery.ts';
import type { Life } from '../life.ts';
import { report } from '../stage.ts';
import { videoPlan } from '../work/client-orders.ts';
import type { Outfit, WorkChange, WorkWorld } from '../work/work-world.ts';
import { accepts, raise, type EventRecorder } from './event-world.ts';

const answered = (status: number): SendOutcome => ({ kind: 'answered', status, retryAfterMs: null });

const refusals: readonly [SendOutcome, ...SendOutcome[]] = [
  answered(500),
  answered(301),
  { kind: 'answered', status: 503, retryAfterMs: 60_000 },
  { kind: 'unreachable' },
];

/** Sends to receivers that remember everything. One claim is one request. */
const senderOf = (world: WorkWorld, life: Life, recorder: EventRecorder): WebhookSender => ({
  check: (url) => Promise.resolve({ kind: 'allowed', url }),
  close: () => Promise.resolve(),
  send: async ({ url, headers }) => {
    const receiver = recorder.receivers.find((each) => each.url === url);
    if (receiver === undefined) throw new Error('sent to nobody');
    const id = deliveryId(headers[`x-${defaultBrand}-event-id`] ?? '', receiver.webhookId);
    const accepted = accepts(world.random, receiver.manner);
    const count = raise(recorder.sent, `${id} ${life.name}`);
    if (count > (recorder.claimed.get(`${id} ${life.name}`) ?? 0))
      report(world, 'sent_again_only_after_an_unknown', `${id} was sent by ${life.name} without a claim of its own`);
    recorder.arrivals.push({ deliveryId: id, life, accepted });
    if (!world.over) await new Promise<void>((fire) => world.scheduler.add({ kind: 'provider', life, fire }));
    return accepted ? answered(200) : world.random.pick(refusals);
  },
});

const opened = { kind: 'opened' } as const;

/** Opens what an occurrence asks for, under its own id and identity, as the routes do. */
const starterOf =
  (world: WorkWorld, life: Life): StartScheduledRun =>
  async (trigger, occurrence) => {
    const { operationId: id } = occurrence;
    if (id === null) return opened;
    const known = await life.engine.storage.read([{ table: 'operation', id }]);
    if (known.get('operation', id) !== undefined) return opened;
    const identity = `trigger ${trigger.id} ${occurrence.scheduledForMs}`;
    const plan = { ...videoPlan(identity), fingerprint: identity, id, occurrence: { occurrenceId: occurrence.id } };
    const outcome = await world.subject.createResource(life.engine, plan);
    if (outcome.kind === 'created' || outcome.requestId !== null) return opened;
    return { kind: 'prevented', code: outcome.code };
  };

const attemptsMax = 8;

const noteDelivery = (
  world: WorkWorld,
  recorder: EventRecorder,
  before: DeliveryRecord | undefined,
  after: DeliveryRecord,
) => {
  recorder.deliveries.set(after.id, after);
  if (after.attempts > attemptsMax) report(world, 'eight_tries_at_the_most', `${after.id} has ${after.attempts}`);
  if (after.status === 'failed' && after.attempts !== attemptsMax)
    report(world, 'eight_tries_at_the_most', `${after.id} was given up after ${after.attempts}`);
  const isAgain = before !== undefined && before.status !== 'pending' && after.status === 'pending';
  if (isAgain && !recorder.redelivered.has(after.id))
    report(world, 'sent_again_only_after_an_unknown', `${after.id} is pending again after ${before.status}`);
};

const noteOccurrence = (
  world: WorkWorld,
  recorder: EventRecorder,
  before: OccurrenceRecord | undefined,
  id: string,
): void => {
  if (before !== undefined) return;
  if (recorder.occurrences.has(id)) report(world, 'one_occurrence_an_instant', `${id} was made again`);
  recorder.occurrences.add(id);
};

/** What is found later is missed. */
const graceMs = 5 * 60_000;

const noteTrigger = (world: WorkWorld, recorder: EventRecorder, before: TriggerRecord, after: TriggerRecord): void => {
  const instant = before.nextRunAtMs;
  const goesOn = before.status === 'enabled' && after.status === 'enabled' && after.nextRunAtMs !== instant;
  if (goesOn && instant !== null && world.clock.nowMs - instant <= graceMs) recorder.left.add(`${after.id}:${instant}`);
};

const recordChange = (world: WorkWorld, recorder: EventRecorder, { write, before }: WorkChange): void => {
  if (write.kind !== 'put') return;
  // The row before is of the write's own table.
  if (write.table === 'delivery') noteDelivery(world, recorder, before as DeliveryRecord | undefined, write.record);
  if (write.table === 'occurrence')
    noteOccurrence(world, recorder, before as OccurrenceRecord | undefined, write.record.id);
  if (write.table === 'trigger' && before !== undefined)
    noteTrigger(world, recorder, before as TriggerRecord, write.record);
};

/** What processes have that tell webhooks and run schedules. */
export const eventOutfit = (recorder: EventRecorder): Outfit => ({
  options: (world) => ({
    secrets: ['the secret of the simulation'],
    wallClockMs: () => world.clock.nowMs,
    randomBytes: (size) => new Uint8Array(size).fill(world.random.below(256)),
  }),
  equip: (world, life) => ({ sender: senderOf(world, life, recorder), startRun: starterOf(world, life) }),
  recordChange: (world, _, change) => recordChange(world, recorder, change),
  claimed: (life, { table }, rows) => {
    if (table === 'delivery') for (const { id } of rows) raise(recorder.claimed, `${id} ${life.name}`);
  },
});
