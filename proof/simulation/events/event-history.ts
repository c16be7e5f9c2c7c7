import { createTrigger, createWebhook, setTriggerEnabled, setWebhookEnabled } from '@tollgate/engine';
import { redeliver } from '../../../packages/engine/src/webhooks/webhooks.ts';
import { inBackground } from '../in-background.ts';
import type { Lockstep } from '../lockstep.ts';
import { createRandom } from '../random.ts';
import type { SeedReport } from '../run-seeds.ts';
import { report } from '../stage.ts';
import { createSimulatedStore } from '../store.ts';
import { judgeWork } from '../work/judge-work.ts';
import { recoverWork } from '../work/recover-work.ts';
import { act, killAndRestart } from '../work/work-actions.ts';
import { createWorkWorld, drawSetup } from '../work/work-history.ts';
import { shippingWork, type WorkSubject } from '../work/work-subject.ts';
import { someOf, type WorkSetup } from '../work/work-world.ts';
import { accountId, keyId, projectIds } from '../world.ts';
import { eventOutfit } from './event-outfit.ts';
import { createEventRecorder, type EventScene, type Manner } from './event-world.ts';
import { judgeEvents } from './judge-events.ts';

const instances = 3;
const stepsMin = 60;
const stepsMore = 121;
const manners: readonly Manner[] = ['honest', 'moody', 'stubborn'];
const [projectId] = projectIds;

/** What a history begins with: three receivers and a schedule that runs every minute. */
const furnish = async ({ world, recorder }: EventScene): Promise<void> => {
  const [life] = world.lives;
  if (life === undefined) throw new Error('a world has lives');
  const engine = { ...life.engine, storage: world.storage };
  for (const manner of manners) {
    const url = `https://${manner}.example/events`;
    const answer = await createWebhook(engine, { projectId, url, events: ['request.completed', 'request.failed'] });
    if (answer.kind !== 'created') throw new Error('a project has three webhooks');
    recorder.receivers.push({ webhookId: answer.webhook.id, url, manner });
  }
  const triggerId = 'every-minute';
  await createTrigger(engine, {
    triggerId,
    projectId,
    accountId,
    keyId,
    displayName: null,
    schedule: '* * * * *',
    timeZone: 'UTC',
    interaction: { shown: {}, whole: { kind: 'inline', sealed: '' } },
  });
  recorder.triggerIds.push(triggerId);
};

const hour = 3_600_000;
const steps = [20_000, 61_000, 61_000, 310_000, 2 * hour] as const;

const switchHook = (scene: EventScene, paused: Set<string>): void => {
  const { world, recorder } = scene;
  const receiver = someOf(world.random, recorder.receivers);
  const life = someOf(world.random, world.lives);
  if (receiver === undefined || life === undefined) return;
  paused.add(receiver.webhookId);
  const { webhookId } = receiver;
  void inBackground(setWebhookEnabled(life.engine, { webhookId, projectId }, world.random.oneIn(2)));
};

const switchTrigger = ({ world, recorder }: EventScene): void => {
  const triggerId = someOf(world.random, recorder.triggerIds);
  const life = someOf(world.random, world.lives);
  if (triggerId === undefined || life === undefined) return;
  void inBackground(setTriggerEnabled(life.engine, { triggerId, projectId }, !world.random.oneIn(3)));
};

const sendAgain = ({ world, recorder }: EventScene): void => {
  const delivery = someOf(world.random, [...recorder.deliveries.values()]);
  const life = someOf(world.random, world.lives);
  if (delivery === undefined || life === undefined) return;
  recorder.redelivered.add(delivery.id);
  void inBackground(redeliver(life.engine, { webhookId: delivery.webhookId, deliveryId: delivery.id }));
};

const actOnEvents = (scene: EventScene, paused: Set<string>): void => {
  const { world } = scene;
  const roll = world.random.below(100);
  if (world.burst > 0 || roll < 86) act(world);
  else if (roll < 95) world.clock.nowMs += world.random.pick(steps);
  else if (roll < 96) switchHook(scene, paused);
  else if (roll < 98) switchTrigger(scene);
  else sendAgain(scene);
};

/** Longer than the longest wait between two tries. */
const roundMs = 12 * hour;
const roundsMax = 24;

/** Lets all tries of all deliveries come, and what schedules opened end. */
const recoverEvents = async ({ world, recorder }: EventScene): Promise<void> => {
  const waits = (): boolean => [...recorder.deliveries.values()].some(({ status }) => status === 'pending');
  for (let round = 0; round < roundsMax && (round < 3 || waits()); round += 1) {
    for (const { engine, parts } of world.lives) {
      await world.subject.sweep(engine, parts);
      await parts.deliveries?.idle();
      await parts.workers.idle();
    }
    world.clock.nowMs += roundMs;
  }
};

const stopSchedules = async ({ world, recorder }: EventScene): Promise<void> => {
  const [life] = world.lives;
  if (life === undefined) return;
  const engine = { ...life.engine, storage: world.storage };
  for (const triggerId of recorder.triggerIds) await setTriggerEnabled(engine, { triggerId, projectId }, false);
};

export interface EventHistoryInput {
  readonly seed: number;
  readonly lockstep: Lockstep;
  readonly subject?: WorkSubject;
  readonly setup?: Partial<WorkSetup>;
}

/** Lives one history of webhooks and schedules, beside the work that they tell of and begin, and judges it. */
export const runEventHistory = async (input: EventHistoryInput): Promise<SeedReport> => {
  const random = createRandom(input.seed);
  const setup = { ...drawSetup(random), ...input.setup };
  const recorder = createEventRecorder();
  const { subject = shippingWork, lockstep } = input;
  const outfit = eventOutfit(recorder);
  const world = await createWorkWorld({ setup, random, subject, openStorage: createSimulatedStore, outfit });
  const scene: EventScene = { world, recorder };
  const paused = new Set<string>();
  try {
    for (let at = 0; at < instances; at += 1) killAndRestart(world, at);
    await furnish(scene);
    const count = stepsMin + random.below(stepsMore);
    for (let step = 0; step < count; step += 1) {
      actOnEvents(scene, paused);
      await lockstep.tick();
    }
    await stopSchedules(scene);
    await recoverWork(world, lockstep);
    await recoverEvents(scene);
    await judgeWork(world);
    await judgeEvents(scene, paused);
  } catch (cause) {
    report(world, 'jobs_do_not_throw', cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
  }
  const { steps: lived, faults } = world.counters;
  return { seed: input.seed, steps: lived, faults, executions: recorder.arrivals.length, breaches: world.breaches };
};
