import {
  isNotExecuted,
  NotExecuted,
  readUsageAtLeast,
  type CallContext,
  type Provider,
  type Usage,
} from '@tollgate/provider';
import type { AttemptRecord, BatchItemRecord, OperationRecord } from '@tollgate/storage';
import { callerOf } from '../../operations/caller-of.ts';
import { measureUsage, notExecutedCode, usageRecords } from '../../operations/conclude.ts';
import type { ItemEnd } from '../../decisions/record-items.ts';
import type { Engine } from '../../engine.ts';
import { keptAttempt, noteUsageAtLeast } from '../../operations/kept-attempt.ts';
import { meterOperation } from '../../ledger/meter-images.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import { isTransient } from '../../workers/is-transient.ts';
import { withCache, type CachedCall } from '../cache/use-cache.ts';
import { fromStoredEmbedding, fromStoredGeneration, goneBefore } from '../stored-call.ts';
import type { ModelRoute } from '../model-route.ts';
import { batchInputKeptMs, type AnsweredItem, type BatchKindOptions } from './batch-options.ts';
import type { ReadItem, StoredItem } from './batch-work.ts';
import { completedItem, failedItem, putOffItem, unknownItem } from './item-answer.ts';

/** Upstream requests kept of one item at the most. */
const attemptsMax = 16;

/** What carries out items that were marked as begun. */
export interface ItemRun {
  readonly options: BatchKindOptions;
  readonly operation: OperationRecord;
  readonly readItem: ReadItem;
  readonly route: ModelRoute | null;
  readonly signal: AbortSignal;
  /** What the upstream requests of a provider carry for this turn of work. */
  readonly headersFor: (provider: string) => CallContext['upstreamHeaders'];
  /** Whether items whose cause of failure may pass are put off; else they fail. */
  readonly putsOff: boolean;
}

/** What a provider answered to an item. */
export interface ItemAnswer {
  readonly usage: readonly Usage[];
  readonly body: string;
}

type Attempts = AttemptRecord[];

/** What the response to an item is written of. */
export const answeredItem = (
  operation: OperationRecord,
  id: string,
  { form }: Pick<StoredItem, 'form'>,
  usage: readonly Usage[],
): AnsweredItem => ({ id, operation, usage: usageRecords(usage), form: form ?? null });

/** The call of an item as a provider takes it, with its cache where it names one. */
export const toItemCall = async (
  engine: Engine,
  user: { readonly projectId: string; readonly provider: Provider },
  { call: stored, cache }: Extract<StoredItem, { readonly kind: 'generation' }>,
): Promise<CachedCall> => {
  const owner = { projectId: user.projectId, provider: user.provider.name };
  const call = await fromStoredGeneration(engine, owner, stored);
  return cache === null ? { call, measure: (usage) => usage } : withCache(engine, user, cache, call);
};

/** What goes wrong before an item is handed over may pass: nothing ran. */
const beforeHandOver = async <T>(look: () => Promise<T>): Promise<T> => {
  try {
    return await look();
  } catch (cause) {
    throw isNotExecuted(cause) ? cause : new NotExecuted({ reason: 'unavailable', cause });
  }
};

const generate = async (
  { options, operation, route }: ItemRun & { readonly route: ModelRoute },
  id: string,
  stored: Extract<StoredItem, { readonly kind: 'generation' }>,
  context: CallContext,
): Promise<ItemAnswer> => {
  const { provider, upstreamModel } = route;
  if (provider.generate === undefined) throw new NotExecuted({ reason: 'unavailable' });
  const user = { projectId: operation.projectId, provider };
  const { call, measure } = await beforeHandOver(() => toItemCall(options.engine, user, stored));
  const generation = await provider.generate({ ...call, upstreamModel, operationId: id }, context);
  const usage = meterOperation(options.engine, operation, generation, measure(generation.usage));
  const item = answeredItem(operation, id, stored, usage);
  return { usage, body: options.answers.generation(generation, item) };
};

const embed = async (
  { options, operation, route }: ItemRun & { readonly route: ModelRoute },
  id: string,
  stored: Extract<StoredItem, { readonly kind: 'embedding' }>,
  context: CallContext,
): Promise<ItemAnswer> => {
  const { provider, upstreamModel } = route;
  const owner = { projectId: operation.projectId, provider: provider.name };
  const asked = await beforeHandOver(() => fromStoredEmbedding(options.engine, owner, stored.call));
  const call = { ...asked, upstreamModel, operationId: id };
  if (provider.embed === undefined) throw new NotExecuted({ reason: 'unavailable' });
  const embeddings = await provider.embed(call, context);
  const item = answeredItem(operation, id, stored, embeddings.usage);
  return { usage: embeddings.usage, body: options.answers.embedding(call, embeddings, item) };
};

const execute = async (run: ItemRun, item: BatchItemRecord, context: CallContext): Promise<ItemAnswer> => {
  const { route } = run;
  if (route === null) throw new NotExecuted({ reason: 'unavailable' });
  const stored = await beforeHandOver(() => run.readItem(item.place));
  if (stored === null) throw goneBefore('what the batch was sent');
  return stored.kind === 'generation'
    ? generate({ ...run, route }, item.id, stored, context)
    : embed({ ...run, route }, item.id, stored, context);
};

/** A response of unknown usage is as unknown as none. */
export const endOfAnswer = async (
  { options, operation }: Pick<ItemRun, 'options' | 'operation'>,
  id: string,
  { usage, body }: ItemAnswer,
  attempts: Attempts,
): Promise<ItemEnd> => {
  if (measureUsage(options.engine, operation, usage, attempts) !== null)
    return completedItem(options.engine, id, {
      usage: usageRecords(usage),
      answer: body,
      attempts,
      keptMs: batchInputKeptMs,
    });
  noteUsageAtLeast(attempts, usage);
  return unknownItem(id, attempts);
};

const endOfThrow = (run: ItemRun, id: string, cause: unknown, attempts: Attempts): ItemEnd => {
  const { operation, options, signal } = run;
  if (!isNotExecuted(cause)) {
    options.engine.logger.error('outcome of an item unknown', { operationId: operation.id, itemId: id, cause });
    noteUsageAtLeast(attempts, readUsageAtLeast(cause));
    return unknownItem(id, attempts);
  }
  // Given up before it was handed over: the next worker begins it again.
  if (signal.aborted && cause.reason === 'cancelled') return putOffItem(id, attempts);
  if (run.putsOff && isTransient(cause)) return putOffItem(id, attempts);
  return failedItem(id, notExecutedCode(cause.reason), attempts);
};

/** Carries out an item that is marked as begun, once. Never throws. */
export const runItem = async (run: ItemRun, item: BatchItemRecord): Promise<ItemEnd> => {
  const { engine } = run.options;
  const attempts: Attempts = [];
  const provider = run.route?.provider.name ?? '';
  const context: CallContext = {
    caller: callerOf(run.operation),
    signal: run.signal,
    upstreamHeaders: run.route === null ? undefined : run.headersFor(provider),
    recordAttempt: (attempt) => {
      if (attempts.length < attemptsMax) attempts.push(keptAttempt(provider, attempt));
    },
  };
  let answer: ItemAnswer;
  try {
    answer = await callInTime(engine, context, engine.limits.executionMs, (each) => execute(run, item, each));
  } catch (cause) {
    return endOfThrow(run, item.id, cause, attempts);
  }
  try {
    return await endOfAnswer(run, item.id, answer, attempts);
  } catch (cause) {
    // It ran, and its answer could not be kept.
    engine.logger.error('the answer of an item could not be kept', {
      operationId: run.operation.id,
      itemId: item.id,
      cause,
    });
    return unknownItem(item.id, attempts);
  }
};
