import { listRowsMax, type BatchItemRecord, type OperationRecord } from '@tollgate/storage';
import { keptMedia } from '../../../packages/engine/src/resources/video/kept-media.ts';
import { checkMoney } from '../check-money.ts';
import { readAccount } from '../final-facts.ts';
import { report } from '../stage.ts';
import { progressOf, type Progress } from './progress.ts';
import type { HandOver } from './hand-over.ts';
import { mayHaveRun } from './upstream-script.ts';
import type { WorkWorld } from './work-world.ts';

const handOversOf = (world: WorkWorld, of: string): readonly HandOver[] =>
  world.upstream.handOvers.filter((handOver) => handOver.of === of);

/** What was measured of a thing that is said to be done; null where that cannot be. */
const measureOf = (world: WorkWorld, of: string): bigint | null => {
  for (const { script } of handOversOf(world, of)) if (script.kind === 'answers') return script.micros;
  return null;
};

const listItems = (world: WorkWorld, batchId: string): Promise<readonly BatchItemRecord[]> =>
  world.storage.list('itemsByBatch', { of: batchId, limit: listRowsMax });

const checkCharge = (world: WorkWorld, operation: OperationRecord, measured: bigint | null): void => {
  const { id, chargedMicros, absorbedMicros } = operation;
  if (measured === null) report(world, 'unmeasured_is_uncertain', `${id} is completed without a measure`);
  else if (chargedMicros + absorbedMicros !== measured)
    report(world, 'charged_exactly_the_measure', `${id}: ${chargedMicros} of ${measured}`);
  if (world.setup.overrun === 'pending' && absorbedMicros !== 0n)
    report(world, 'charged_exactly_the_measure', `${id}: absorbed ${absorbedMicros}`);
};

const checkFailed = (world: WorkWorld, id: string, of: string): void => {
  for (const { script, answered } of handOversOf(world, of))
    if (mayHaveRun(script) || !answered)
      report(world, 'executed_is_charged_or_uncertain', `${id} failed: ${of} may have run`);
};

const checkUncertain = (world: WorkWorld, operation: OperationRecord, causes: readonly boolean[]): void => {
  if (operation.pendingMicros === null && !causes.includes(true))
    report(world, 'uncertain_with_a_cause', `${operation.id} is uncertain for no reason`);
  if (operation.holdMicros === 0n) report(world, 'uncertain_keeps_hold', operation.id);
};

const progressIn = ({ resources }: WorkWorld, id: string): Progress => {
  const resource = resources.get(id);
  return resource === undefined ? { phase: 'over' } : progressOf(resource);
};

/** How long an upstream may take for a video. */
const videoJobMs = 3 * 3_600_000;

/** The copies of a video must lie where its record says. */
const checkMedia = async (world: WorkWorld, id: string): Promise<void> => {
  const resource = world.resources.get(id);
  if (resource === undefined || resource.availability !== 'follows') return;
  const media = keptMedia(resource);
  if (media.length !== 1) report(world, 'completed_has_its_media', `${id} has ${media.length}`);
  for (const { blobKey } of media)
    if ((await world.storage.blobs.get(blobKey)) === undefined)
      report(world, 'completed_has_its_media', `${id} lost one`);
};

const checkVideo = async (world: WorkWorld, operation: OperationRecord): Promise<void> => {
  const { id, state } = operation;
  if (state === 'completed') {
    checkCharge(world, operation, measureOf(world, id));
    await checkMedia(world, id);
  }
  if (state === 'failed') checkFailed(world, id, id);
  const progress = progressIn(world, id);
  const wasSubmitted = progress.phase === 'submitting';
  const wasTooLong = progress.phase === 'running' && operation.updatedAtMs - progress.startedAtMs > videoJobMs;
  const unmeasured = handOversOf(world, id).some(({ script }) => script.kind === 'answers' && script.micros === null);
  if (state === 'uncertain') checkUncertain(world, operation, [wasSubmitted, wasTooLong, unmeasured]);
};

const checkItem = (world: WorkWorld, { id, state }: BatchItemRecord): bigint => {
  if (state === 'completed') {
    const micros = measureOf(world, id);
    if (micros === null) report(world, 'unmeasured_is_uncertain', `${id} is completed without a measure`);
    return micros ?? 0n;
  }
  if (state === 'failed' || state === 'cancelled') checkFailed(world, id, id);
  else report(world, 'nothing_left_running', `${id} is ${state} although its batch is over`);
  return 0n;
};

const hasDied = ({ counters, lives }: WorkWorld): boolean => counters.lives > lives.length;

const checkBatch = async (world: WorkWorld, operation: OperationRecord): Promise<void> => {
  const { id, state } = operation;
  const items = await listItems(world, id);
  if (state === 'completed') {
    let sum = 0n;
    for (const item of items) sum += checkItem(world, item);
    checkCharge(world, operation, sum);
  }
  if (state === 'failed') for (const item of items) checkFailed(world, id, item.id);
  const uncertain = items.some((item) => item.state === 'unknown') || progressIn(world, id).phase === 'submitting';
  if (state === 'uncertain') checkUncertain(world, operation, [uncertain, world.toldLate.has(id) && hasDied(world)]);
};

const checkOperation = async (world: WorkWorld, operation: OperationRecord): Promise<void> => {
  const { id, state, kind } = operation;
  switch (state) {
    case 'preparing':
    case 'reserved':
    case 'processing':
    case 'cancelling':
    case 'settling':
      report(world, 'nothing_left_running', `${id} is ${state}`);
      return;
    case 'uncertain':
    case 'completed':
    case 'failed':
  }
  if (state !== 'completed' && operation.chargedMicros !== 0n)
    report(world, 'unexecuted_is_never_charged', `${id} is ${state} and charged`);
  if (kind === 'video') await checkVideo(world, operation);
  else await checkBatch(world, operation);
};

/** Checks every promise when a history has ended and its processes have recovered. */
export const judgeWork = async (world: WorkWorld): Promise<void> => {
  const facts = await readAccount(world.storage);
  for (const operation of facts.operations.values()) await checkOperation(world, operation);
  for (const { id } of world.orders)
    if (!facts.operations.has(id)) report(world, 'what_was_told_is_kept', `${id} is gone`);
  await checkMoney(world, facts);
};
