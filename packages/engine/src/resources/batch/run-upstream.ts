import {
  isNotExecuted,
  type BatchCall,
  type BatchCallItem,
  type BatchResult,
  type BatchResultItem,
} from '@tollgate/provider';
import type { BatchItemRecord } from '@tollgate/storage';
import { notExecutedCode } from '../../operations/conclude.ts';
import type { ItemEnd } from '../../decisions/record-items.ts';
import { meterOperation } from '../../ledger/meter-images.ts';
import { refuseUnbegun } from '../../workers/access-lost.ts';
import {
  pollProviderJob,
  startProviderJob,
  type JobPauses,
  type ProviderJob,
  type RunningJob,
} from '../../workers/provider-job.ts';
import { LostWork, type Work, type WorkContext, type WorkOutcome } from '../../workers/work-kind.ts';
import { ownInputMax, unboundedInput } from '../../ledger/own-input.ts';
import type { Quantities } from '../../ledger/price-usage.ts';
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
import { createItemReader, type BatchWork, type ReadItem, type StoredItem } from './batch-work.ts';
import { dropInput, endOfBatch } from './end-of-batch.ts';
import { cancelledItem, failedItem, unknownItem } from './item-answer.ts';
import { answeredItem, endOfAnswer, toItemCall, type ItemAnswer } from './run-item.ts';
import { listItems, stepItems } from './run-items.ts';

/** One turn of a batch that an upstream carries out as a whole. */
interface UpstreamTurn extends ProviderJob<BatchCall, BatchResult> {
  readonly work: Work;
  readonly context: WorkContext;
  readonly options: BatchKindOptions;
  readonly route: ModelRoute;
  readonly progress: BatchWork;
  readonly readItem: ReadItem;
}

const pauses: JobPauses = {
  firstPauseMs: 2_000,
  pauseMsMax: 60_000,
  pollMs: 120_000,
  jobMsMax: batchWindowMs,
  startTriesMax: 5,
};
/** Items noted in one step. */
const itemsPerStepMax = 25;

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

const start = async (turn: UpstreamTurn): Promise<WorkOutcome> => {
  const { options, work, context, route, progress } = turn;
  const { operation, resource } = work;
  if (await context.isCancelling()) {
    await dropInput(options.engine, operation.id, progress.input);
    return { kind: 'cancelled' };
  }
  const refused = await refuseUnbegun(context);
  if (refused !== null) {
    await dropInput(options.engine, operation.id, progress.input);
    return refused;
  }
  const { items, ended } = await toItems(turn, await listItems(options.engine, operation.id));
  await noteUnsent(turn, ended);
  if (items.length === 0) return endOfBatch(options.engine, work, progress, 0);
  const { displayName } = resource;
  return startProviderJob(turn, {
    call: { operationId: operation.id, upstreamModel: route.upstreamModel, displayName, items },
    submitting: { ...progress, upstream: { phase: 'submitting' } } satisfies BatchWork,
    tries: progress.round,
    asked: (round) => ({ ...progress, round }) satisfies BatchWork,
  });
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
    const { embeddings } = item;
    const answered = answeredItem(operation, row.id, stored, embeddings.usage);
    return { usage: embeddings.usage, body: answers.embedding(checkedCall(stored.call), embeddings, answered) };
  }
  if (item.kind === 'embedding' || stored.kind === 'embedding') throw new Error('an answer to what was not asked');
  const { cache } = stored;
  const measure = cache === null ? null : await measureWithCache(engine, cache, await ownMaxOf(turn, stored.call));
  const { generation } = item;
  const usage = meterOperation(engine, operation, generation, measure?.(generation.usage) ?? generation.usage);
  return { usage, body: answers.generation(generation, answeredItem(operation, row.id, stored, usage)) };
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
        logger.error('the answer of an item could not be kept', { operationId: operation.id, itemId: row.id, cause });
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

/** One turn of a batch at an upstream that runs it as a whole: it is started once, and polled until it is done. */
export const runUpstream = (
  turn: Pick<UpstreamTurn, 'options' | 'work' | 'context' | 'route' | 'jobs' | 'progress'>,
  running: RunningJob | null,
): Promise<WorkOutcome> => {
  const { options, route, progress } = turn;
  const whole: UpstreamTurn = {
    ...turn,
    engine: options.engine,
    readItem: createItemReader(options.engine, progress.input),
    provider: route.provider.name,
    pauses,
    noun: 'a batch',
    toWork: (job) => ({ ...progress, upstream: { phase: 'running', ...job } }) satisfies BatchWork,
  };
  return running === null
    ? start(whole)
    : pollProviderJob(whole, running, { onDone: (result) => finish(whole, result), cancel: 'until_accepted' });
};
