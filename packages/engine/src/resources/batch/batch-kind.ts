import { accessLost } from '../../workers/access-lost.ts';
import { LostWork, type Work, type WorkContext, type WorkKind, type WorkOutcome } from '../../workers/work-kind.ts';
import type { ModelRoute } from '../model-route.ts';
import { batchResultKeptMs, batchWindowMs, type BatchKindOptions } from './batch-options.ts';
import { batchWork, createItemReader, type BatchWork } from './batch-work.ts';
import { dropInput, endOfBatch } from './end-of-batch.ts';
import { runItems } from './run-items.ts';
import { runUpstream } from './run-upstream.ts';

const itemsAtOnceDefault = 8;
const batchesAtOnceDefault = 16;
const batchesPerProjectDefault = 4;
/** How often items are tried whose cause of failure may pass. */
const roundsMax = 5;
/** The pause before the second round; each further one is twice as long. */
const roundMs = 5_000;
/** How long a batch waits for a provider. */
const nobodyMs = 60_000;

/**
 * The batch was taken from this worker, which has noted how its items ended all the same. Where it was given up as doubtful since
 * then, that may be all that was missing.
 */
const endOfLost = async ({ engine }: BatchKindOptions, work: Work, progress: BatchWork): Promise<WorkOutcome> => {
  const { id } = work.operation;
  const records = await engine.storage.read([{ table: 'operation', id }]);
  if (records.get('operation', id)?.state !== 'uncertain') throw new LostWork('the batch is in other hands');
  return endOfBatch(engine, work, progress, 0);
};

/** The gateway's own hands: item by item, so many at once. */
const runOwnItems = async (
  options: BatchKindOptions,
  work: Work,
  context: WorkContext,
  found: { readonly progress: BatchWork; readonly route: ModelRoute | null },
): Promise<WorkOutcome> => {
  const { progress, route } = found;
  const { operation } = work;
  const inTime = operation.updatedAtMs - operation.createdAtMs < batchWindowMs;
  const run = {
    options,
    operation,
    readItem: createItemReader(options.engine, progress.input),
    route: inTime ? route : null,
    signal: context.signal,
    headersFor: (provider: string) => context.callContext(provider).upstreamHeaders,
    putsOff: inTime && progress.round + 1 < roundsMax,
  };
  const end = await runItems(run, options.itemsAtOnce ?? itemsAtOnceDefault, context);
  if (typeof end === 'object') {
    await dropInput(options.engine, operation.id, progress.input);
    return { ...end, cause: new Error(accessLost) };
  }
  switch (end) {
    case 'lost':
      return endOfLost(options, work, progress);
    case 'draining':
      // Let go of where the signal says so, else due at once for the next process.
      return context.signal.aborted
        ? { kind: 'unknown', cause: new Error('the batch was let go of') }
        : { kind: 'later', afterMs: 0, work: progress };
    case 'through':
      return endOfBatch(options.engine, work, progress, roundMs * 2 ** progress.round);
  }
};

const progressOf = ({ resource }: Work): BatchWork => {
  const progress = batchWork(resource.work);
  if (progress === null) throw new Error('a batch without its items');
  return progress;
};

const takeTurn = (options: BatchKindOptions, work: Work, context: WorkContext): Promise<WorkOutcome> => {
  const progress = progressOf(work);
  const route = options.findRoute(work.resource.model);
  const jobs = route?.provider.batches;
  const { upstream } = progress;
  if (upstream?.phase === 'submitting')
    return Promise.resolve({ kind: 'unknown', cause: new Error('the hand-over was not confirmed') });
  if (route !== null && jobs !== undefined)
    return runUpstream({ options, work, context, route, jobs, progress }, upstream);
  if (upstream === null) return runOwnItems(options, work, context, { progress, route });
  // It runs at an upstream that this process does not know any more.
  return Promise.resolve(
    work.operation.updatedAtMs - upstream.startedAtMs > batchWindowMs
      ? { kind: 'unknown', cause: new Error('no provider runs batches of this model any more') }
      : { kind: 'later', afterMs: nobodyMs, work: progress },
  );
};

// batches:*
/** How batches are carried out: by the upstream where it takes them, else item by item; each item once. */
export const batchKind = (options: BatchKindOptions): WorkKind => ({
  kind: 'batch',
  runningMax: options.batchesAtOnce ?? batchesAtOnceDefault,
  runningPerProjectMax: options.batchesPerProject ?? batchesPerProjectDefault,
  resultKeptMs: batchResultKeptMs,
  run: (work, context) => takeTurn(options, work, context),
  reconcileLate: (work) => endOfBatch(options.engine, work, progressOf(work), 0),
  discard: async ({ id, work }) => {
    const progress = batchWork(work);
    if (progress !== null) await dropInput(options.engine, id, progress.input);
  },
});
