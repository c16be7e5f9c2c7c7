import { isNotExecuted, type ProjectFile, type Provider, type ProviderStores } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { findFile } from '../../files/find-file.ts';
import { toProjectFile } from '../../files/project-file.ts';
import { refuseUnbegun } from '../../workers/access-lost.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import type { Work, WorkContext, WorkOutcome } from '../../workers/work-kind.ts';
import { isFailureReport, isTransient, retryAfterMsOf } from '../../workers/is-transient.ts';
import { recordStoreReference } from '../store/store-reference.ts';
import { storeWork } from '../store/store-work.ts';
import type { DocumentLimits } from './document-limits.ts';
import type { DocumentOrder, DocumentWork } from './document-work.ts';

/** The longest time of an upstream job, counted from its submission; then its outcome is unknown. */
const importMs = 3 * 3_600_000;
const pollMs = 60_000;
const firstPauseMs = 2_000;
const pauseMsMax = 60_000;

type Phase<P extends DocumentWork['phase']> = Extract<DocumentWork, { readonly phase: P }>;

/** One turn of work on a document of a store that its provider keeps. */
interface ImportTurn {
  readonly engine: Engine;
  readonly limits: DocumentLimits;
  readonly work: Work;
  readonly context: WorkContext;
  readonly provider: Provider;
  readonly stores: ProviderStores;
}

const pauseAfter = (times: number): number => Math.min(firstPauseMs * 1.5 ** times, pauseMsMax);

/** By what the provider knows the store; the store is made with its first document, and of two made at once one is kept. */
const openStore = async (turn: ImportTurn, { storeId }: DocumentOrder): Promise<string> => {
  const { engine, context, provider, stores } = turn;
  const records = await engine.storage.read([{ table: 'resource', id: storeId }]);
  const store = records.get('resource', storeId);
  const known = storeWork(store?.work)?.upstream?.reference ?? null;
  if (known !== null) return known;
  const callContext = context.callContext(provider.name);
  const displayName = store?.displayName ?? null;
  const { reference } = await callInTime(engine, callContext, pollMs, (each) =>
    stores.create({ id: storeId, displayName }, each),
  );
  const kept = await recordStoreReference(engine, storeId, reference);
  if (kept === null) throw new Error('the store is gone');
  if (kept !== reference) await stores.remove(reference, callContext);
  return kept;
};

const requireFile = async (
  engine: Engine,
  { operation }: Work,
  order: DocumentOrder,
  provider: string,
): Promise<ProjectFile> => {
  const file = await findFile(engine, operation.projectId, order.fileId);
  if (file === null) throw new Error('the file is gone');
  return toProjectFile(engine, file, provider);
};

/** Nothing was executed, and the cause may pass. */
const later = (turn: ImportTurn, asked: Phase<'asked'>, cause: unknown): WorkOutcome => {
  const tries = asked.tries + 1;
  if (tries >= turn.limits.triesMax) return { kind: 'refused', code: 'service_unavailable', cause };
  const afterMs = retryAfterMsOf(cause) ?? pauseAfter(2 * tries);
  return { kind: 'later', afterMs, work: { ...asked, tries } satisfies DocumentWork };
};

const start = async (turn: ImportTurn, asked: Phase<'asked'>): Promise<WorkOutcome> => {
  const { engine, work, context, provider, stores } = turn;
  const { order } = asked;
  const refused = await refuseUnbegun(context);
  if (refused !== null) return refused;
  let submitted = false;
  try {
    const [store, file] = [await openStore(turn, order), await requireFile(engine, work, order, provider.name)];
    await context.checkpoint({ phase: 'submitting', order, progress: null } satisfies DocumentWork);
    submitted = true;
    const call = { operationId: work.operation.id, store, file };
    const callContext = context.callContext(provider.name);
    const { job } = await callInTime(engine, callContext, engine.limits.executionMs, (each) =>
      stores.imports.start(call, each),
    );
    const running = { phase: 'running', order, job, startedAtMs: work.operation.updatedAtMs, polls: 0 } as const;
    return { kind: 'later', afterMs: firstPauseMs, work: running satisfies DocumentWork };
  } catch (cause) {
    // Before the hand-over nothing that costs was asked for, whatever went wrong.
    if (isTransient(cause) || (!submitted && !isNotExecuted(cause) && !context.signal.aborted))
      return later(turn, asked, cause);
    throw cause;
  }
};

const poll = async (turn: ImportTurn, running: Phase<'running'>): Promise<WorkOutcome> => {
  const { engine, work, context, provider, stores } = turn;
  if (work.operation.updatedAtMs - running.startedAtMs > importMs)
    return { kind: 'unknown', cause: new Error('the upstream took longer than indexing may') };
  const callContext = context.callContext(provider.name);
  const again = { ...running, polls: running.polls + 1 };
  try {
    const progress = await callInTime(engine, callContext, pollMs, (each) => stores.imports.poll(running.job, each));
    if (progress.kind === 'running') {
      const { job = running.job, afterMs = pauseAfter(running.polls) } = progress;
      return { kind: 'later', afterMs, work: { ...again, job } satisfies DocumentWork };
    }
    const { reference, usage } = progress.result;
    return {
      kind: 'done',
      usage,
      result: '{}',
      closing: {
        availability: 'follows',
        publicFields: {},
        work: { phase: 'indexed', upstream: { provider: provider.name, reference } } satisfies DocumentWork,
        expiresAfterMs: null,
      },
    };
  } catch (cause) {
    if (isFailureReport(cause)) throw cause;
    engine.logger.warn('an import could not be checked yet', { operationId: work.operation.id, cause });
    return { kind: 'later', afterMs: pauseAfter(running.polls), work: again satisfies DocumentWork };
  }
};

/** One turn of a document that its store's provider indexes: handed over once, and asked for until it is done. */
export const importDocument = (
  turn: Omit<ImportTurn, 'provider' | 'stores'>,
  phase: Phase<'asked'> | Phase<'running'>,
  provider: Provider | null,
): Promise<WorkOutcome> => {
  const stores = provider?.stores;
  if (provider === null || stores === undefined || provider.name !== phase.order.upstream)
    return Promise.resolve({
      kind: 'unknown',
      cause: new Error('no provider keeps the store of this document any more'),
    });
  const whole: ImportTurn = { ...turn, provider, stores };
  return phase.phase === 'asked' ? start(whole, phase) : poll(whole, phase);
};
