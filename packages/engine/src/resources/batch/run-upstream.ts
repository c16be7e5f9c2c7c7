import {
  isNotExecuted,
  type BatchCall,
  type BatchCallItem,
  type BatchResult,
  type BatchResultItem,
  type ProviderJobs,
} from '@tollgate/provider';
import type { BatchItemRecord } from '@tollgate/storage';
import { notExecutedCode } from '../../operations/conclude.ts';
import type { ItemEnd } from '../../decisions/record-items.ts';
import { meterGeneration } from '../../ledger/meter-images.ts';
import { isToEnd, refuseUnbegun } from '../../workers/access-lost.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import { LostWork, type Work, type WorkContext, type WorkOutcome } from '../../workers/work-kind.ts';
import { ownInputMax, unboundedInput } from '../../ledger/own-input.ts';
import type { Quantities } from '../../ledger/tariff.ts';
import { isFailureReport, isTransient } from '../../workers/is-transient.ts';
import { measureWithCache } from '../cache/use-cache.ts';
import {
  fromStoredEmbedding,
  fromStoredGeneration,
  goneBefore,
  type StoredEmbedding,
  type StoredGeneration,
} from '../stored-call.ts';
import type { ModelRoute } from '../model-route.ts';
import { batchWindowMs, type BatchKindOptions } from './batch-options.ts';
import type { BatchWork, ReadItem, StoredItem } from './batch-work.ts';
import { dropInput, endOfBatch } from './end-of-batch.ts';
import { cancelledItem, failedItem, unknownItem } from './item-answer.ts';
import { endOfAnswer, toItemCall, type ItemAnswer } from './run-item.ts';
import { listItems, stepItems } from './run-items.ts';

type Jobs = ProviderJobs<BatchCall, BatchResult>;
type Running = Extract<BatchWork['upstream'], { readonly phase: 'running' }>;

/** One turn of a batch that an upstream carries out as a whole. */
export interface UpstreamTurn {
  readonly options: BatchKindOptions;
  readonly work: Work;
  readonly context: WorkContext;
  readonly route: ModelRoute;
  readonly jobs: Jobs;
  readonly progress: BatchWork;
  readonly readItem: ReadItem;
}

/** How long one question may take. */
const pollMs = 120_000;
/** The first pause between two questions; each further one is half as long again, up to the longest. */
const firstPauseMs = 2_000;
const pauseMsMax = 60_000;
/** How often an upstream that is busy or away is asked to begin. */
const startTriesMax = 5;
/** Items noted in one step. */
const itemsPerStepMax = 25;

const pauseAfter = (polls: number): number => Math.min(firstPauseMs * 1.5 ** Math.min(polls, 20), pauseMsMax);

const toItem = async (
  { options, work, route }: UpstreamTurn,
  { id, key }: BatchItemRecord,
  stored: StoredItem,
): Promise<BatchCallItem> => {
  const owner = { projectId: work.operation.projectId, provider: route.provider.name };
  const { upstreamModel } = route;
  if (stored.kind === 'embedding') {
    const call = await fromStoredEmbedding(options.engine, owner, stored.call);
    return { key, kind: 'embedding', call: { ...call, upstreamModel, operationId: id } };
  }
  const user = { projectId: work.operation.projectId, provider: route.provider };
  const { call } = await toItemCall(options.engine, user, stored);
  return { key, kind: 'generation', call: { ...call, upstreamModel, operationId: id } };
};

/** Nothing was handed over, and the storage may answer the next turn; but not for longer than a batch may take. */
const unread = ({ work: { operation }, options }: UpstreamTurn, cause: unknown): unknown => {
  if (operation.updatedAtMs - operation.createdAtMs > batchWindowMs) return cause;
  options.engine.logger.warn('what a batch was sent could not be read yet', { operationId: operation.id, cause });
  return new LostWork('what the batch was sent could not be read', { cause });
};

/** The items as the upstream takes them; what one needs and is gone fails that one alone. */
const toItems = async (
  turn: UpstreamTurn,
  rows: readonly BatchItemRecord[],
): Promise<{ readonly items: readonly BatchCallItem[]; readonly ended: readonly ItemEnd[] }> => {
  const items: BatchCallItem[] = [];
  const ended: ItemEnd[] = [];
  for (const row of rows) {
    // The mark of a worker that carried items out itself, and died: it may have run.
    if (row.state === 'running') ended.push(unknownItem(row.id, []));
    if (row.state !== 'waiting') continue;
    try {
      const stored = await turn.readItem(row.place);
      if (stored === null) throw goneBefore('what the batch was sent');
      items.push(await toItem(turn, row, stored));
    } catch (cause) {
      if (!isNotExecuted(cause)) throw unread(turn, cause);
      ended.push(failedItem(row.id, notExecutedCode(cause.reason), []));
    }
  }
  return { items, ended };
};

const noteEnds = async ({ options, work, context }: UpstreamTurn, ends: readonly ItemEnd[]): Promise<void> => {
  const turn = { batchId: work.operation.id, owner: context.owner };
  for (let from = 0; from < ends.length; from += itemsPerStepMax)
    await stepItems(options.engine, turn, { ends: ends.slice(from, from + itemsPerStepMax), start: [] });
};

/** What cannot be handed over has ended so, unless another worker has submitted it meanwhile. */
const noteUnsent = async ({ options, work, context }: UpstreamTurn, ends: readonly ItemEnd[]): Promise<void> => {
  const turn = { batchId: work.operation.id, owner: context.owner };
  for (let from = 0; from < ends.length; from += itemsPerStepMax) {
    const change = { ends: ends.slice(from, from + itemsPerStepMax), start: [], isOwnWord: true } as const;
    const answer = await stepItems(options.engine, turn, change);
    if (answer.kind === 'lost') throw new LostWork('the batch is in other hands');
  }
};

/** Hands the batch over, once. */
export const startUpstream = async (turn: UpstreamTurn): Promise<WorkOutcome> => {
  const { options, work, context, route, jobs, progress } = turn;
  const { operation, resource } = work;
  if (await context.isCancelling()) {
    await dropInput(options.engine, progress.input);
    return { kind: 'cancelled' };
  }
  const refused = await refuseUnbegun(context);
  if (refused !== null) {
    await dropInput(options.engine, progress.input);
    return refused;
  }
  const { items, ended } = await toItems(turn, await listItems(options.engine, operation.id));
  await noteUnsent(turn, ended);
  if (items.length === 0) return endOfBatch(options.engine, work, progress, 0);
  await context.checkpoint({ ...progress, upstream: { phase: 'submitting' } } satisfies BatchWork);
  const { displayName } = resource;
  const call: BatchCall = { operationId: operation.id, upstreamModel: route.upstreamModel, displayName, items };
  try {
    const callContext = context.callContext(route.provider.name);
    const { executionMs } = options.engine.limits;
    const { job } = await callInTime(options.engine, callContext, executionMs, (each) => jobs.start(call, each));
    const startedAtMs = operation.updatedAtMs;
    const upstream: Running = { phase: 'running', job, startedAtMs, polls: 0, told: false };
    return { kind: 'later', afterMs: firstPauseMs, work: { ...progress, upstream } satisfies BatchWork };
  } catch (cause) {
    const round = progress.round + 1;
    if (!isTransient(cause) || round >= startTriesMax) throw cause;
    return {
      kind: 'later',
      afterMs: cause.retryAfterMs ?? pauseAfter(2 * round),
      work: { ...progress, round } satisfies BatchWork,
    };
  }
};

/** Of a call, only what its vectors are checked by. */
const checkedCall = ({ input, ...rest }: StoredEmbedding) => ({
  ...rest,
  input: input.kind === 'texts' ? input : { ...input, parts: [] },
});

/** The input of an item without its cache, from above; unbounded where a file that it named is gone by now. */
const ownMaxOf = async ({ options, work, route }: UpstreamTurn, stored: StoredGeneration): Promise<Quantities> => {
  const owner = { projectId: work.operation.projectId, provider: route.provider.name };
  try {
    return ownInputMax(await fromStoredGeneration(options.engine, owner, stored));
  } catch (cause) {
    if (!isNotExecuted(cause)) throw cause;
    return unboundedInput;
  }
};

type Answered = Extract<BatchResultItem, { readonly kind: 'generation' | 'embedding' }>;

const answerOf = async (turn: UpstreamTurn, row: BatchItemRecord, item: Answered): Promise<ItemAnswer> => {
  const { options, work, readItem } = turn;
  const { engine, answers } = options;
  const { operation } = work;
  const stored = await readItem(row.place);
  if (stored?.kind !== item.kind) throw new Error('an answer to what was not asked');
  if (item.kind === 'embedding' && stored.kind === 'embedding') {
    const body = answers.embedding(checkedCall(stored.call), item.embeddings, operation);
    return { usage: item.embeddings.usage, body };
  }
  if (item.kind === 'embedding' || stored.kind === 'embedding') throw new Error('an answer to what was not asked');
  const body = answers.generation(item.generation, operation);
  const { cache } = stored;
  const measure = cache === null ? null : await measureWithCache(engine, cache, await ownMaxOf(turn, stored.call));
  const { usage } = item.generation;
  return { usage: meterGeneration(engine, operation, item.generation, measure?.(usage) ?? usage), body };
};

const endOfItem = async (
  turn: UpstreamTurn,
  row: BatchItemRecord,
  item: BatchResultItem | undefined,
): Promise<ItemEnd> => {
  const { operation } = turn.work;
  const { logger } = turn.options.engine;
  switch (item?.kind) {
    case 'failed':
      return failedItem(row.id, notExecutedCode(item.reason), []);
    case 'cancelled':
      return cancelledItem(row.id);
    case 'generation':
    case 'embedding':
      try {
        return await endOfAnswer({ ...turn, operation }, row.id, await answerOf(turn, row, item), []);
      } catch (cause) {
        logger.error('the answer of an item could not be kept', { itemId: row.id, cause });
        return unknownItem(row.id, []);
      }
    case undefined:
      logger.error('the upstream says nothing of an item', { operationId: operation.id, itemId: row.id });
      return unknownItem(row.id, []);
  }
};

const finish = async (turn: UpstreamTurn, { items }: BatchResult): Promise<WorkOutcome> => {
  const { options, work, progress } = turn;
  const byKey = new Map(items.map((item) => [item.key, item]));
  const rows = await listItems(options.engine, work.operation.id);
  const ends: ItemEnd[] = [];
  for (const row of rows) if (row.state === 'waiting') ends.push(await endOfItem(turn, row, byKey.get(row.key)));
  await noteEnds(turn, ends);
  return endOfBatch(options.engine, work, progress, 0);
};

/** Asks the upstream to stop, once; what it did until then is known by the result. */
const tellToStop = async (turn: UpstreamTurn, running: Running): Promise<Running> => {
  const { jobs, route, context, options, work, progress } = turn;
  if (running.told || jobs.cancel === undefined || !(await isToEnd(context))) return running;
  const told: Running = { ...running, told: true };
  const { cancel } = jobs;
  try {
    const callContext = context.callContext(route.provider.name);
    await callInTime(options.engine, callContext, pollMs, (each) => cancel(running.job, each));
  } catch (cause) {
    options.engine.logger.warn('a batch could not be cancelled yet', { operationId: work.operation.id, cause });
    return running;
  }
  await context.checkpoint({ ...progress, upstream: told } satisfies BatchWork);
  return told;
};

/** Looks how far the upstream is. */
export const pollUpstream = async (turn: UpstreamTurn, before: Running): Promise<WorkOutcome> => {
  const { options, work, context, route, jobs, progress } = turn;
  const { engine } = options;
  if (work.operation.updatedAtMs - before.startedAtMs > batchWindowMs)
    return { kind: 'unknown', cause: new Error('the upstream took longer than a batch may') };
  const running = await tellToStop(turn, before);
  const later = (job: string, afterMs: number): WorkOutcome => ({
    kind: 'later',
    afterMs,
    work: { ...progress, upstream: { ...running, job, polls: running.polls + 1 } } satisfies BatchWork,
  });
  const callContext = context.callContext(route.provider.name);
  let found: Awaited<ReturnType<Jobs['poll']>>;
  try {
    found = await callInTime(engine, callContext, pollMs, (each) => jobs.poll(running.job, each));
  } catch (cause) {
    if (isFailureReport(cause)) throw cause;
    engine.logger.warn('a batch could not be checked yet', { operationId: work.operation.id, cause });
    return later(running.job, pauseAfter(running.polls));
  }
  return found.kind === 'done'
    ? finish(turn, found.result)
    : later(found.job ?? running.job, found.afterMs ?? pauseAfter(running.polls));
};
