import {
  isNotExecuted,
  type ImportCall,
  type ImportedDocument,
  type ProjectFile,
  type Provider,
  type ProviderStores,
} from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { findFile } from '../../files/find-file.ts';
import { toProjectFile } from '../../files/project-file.ts';
import { refuseUnbegun } from '../../workers/access-lost.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import { isTransient } from '../../workers/is-transient.ts';
import {
  pollProviderJob,
  startLater,
  startProviderJob,
  type JobPauses,
  type ProviderJob,
  type RetryOfStart,
} from '../../workers/provider-job.ts';
import type { Work, WorkContext, WorkOutcome } from '../../workers/work-kind.ts';
import { recordStoreReference } from '../store/store-reference.ts';
import { storeWork } from '../store/store-work.ts';
import type { DocumentLimits } from './document-limits.ts';
import type { DocumentOrder, DocumentWork } from './document-work.ts';

const pausesOf = ({ triesMax }: DocumentLimits): JobPauses => ({
  firstPauseMs: 2_000,
  pauseMsMax: 60_000,
  pollMs: 60_000,
  jobMsMax: 3 * 3_600_000,
  startTriesMax: triesMax,
});

type Phase<P extends DocumentWork['phase']> = Extract<DocumentWork, { readonly phase: P }>;

/** One turn of work on a document of a store that its provider keeps. */
interface ImportTurn extends ProviderJob<ImportCall, ImportedDocument> {
  readonly work: Work;
  readonly context: WorkContext;
  readonly engine: Engine;
  readonly limits: DocumentLimits;
  readonly stores: ProviderStores;
}

/** By what the provider knows the store; the store is made with its first document, and of two made at once one is kept. */
const requireStore = async (turn: ImportTurn, { storeId }: DocumentOrder): Promise<string> => {
  const { engine, context, provider, stores, pauses } = turn;
  const records = await engine.storage.read([{ table: 'resource', id: storeId }]);
  const store = records.get('resource', storeId);
  const known = storeWork(store?.work)?.upstream?.reference ?? null;
  if (known !== null) return known;
  const callContext = context.callContext(provider);
  const displayName = store?.displayName ?? null;
  const { reference } = await callInTime(engine, callContext, pauses.pollMs, (each) =>
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

const start = async (turn: ImportTurn, asked: Phase<'asked'>): Promise<WorkOutcome> => {
  const { work, context, provider, pauses } = turn;
  const { order } = asked;
  const refused = await refuseUnbegun(context);
  if (refused !== null) return refused;
  const retry: RetryOfStart = {
    tries: asked.tries,
    asked: (tries) => ({ ...asked, tries }) satisfies DocumentWork,
    onTriesSpent: (cause) => ({ kind: 'refused', code: 'service_unavailable', cause }),
  };
  let call: ImportCall;
  try {
    const store = await requireStore(turn, order);
    call = { operationId: work.operation.id, store, file: await requireFile(turn.engine, work, order, provider) };
  } catch (cause) {
    // Nothing that costs was asked for yet, whatever failed.
    if (!isTransient(cause) && (isNotExecuted(cause) || context.signal.aborted)) throw cause;
    return startLater(pauses, retry, cause);
  }
  return startProviderJob(turn, {
    call,
    submitting: { phase: 'submitting', order, progress: null } satisfies DocumentWork,
    ...retry,
  });
};

const finish = ({ provider }: ImportTurn, { reference, usage }: ImportedDocument): WorkOutcome => ({
  kind: 'done',
  usage,
  result: '{}',
  closing: {
    availability: 'follows',
    publicFields: {},
    work: { phase: 'indexed', upstream: { provider, reference } } satisfies DocumentWork,
    expiresAfterMs: null,
  },
});

/** One turn of a document that its store's provider indexes: handed over once, and asked for until it is done. */
export const importDocument = (
  turn: Pick<ImportTurn, 'engine' | 'limits' | 'work' | 'context'>,
  phase: Phase<'asked'> | Phase<'running'>,
  provider: Provider | null,
): Promise<WorkOutcome> => {
  const stores = provider?.stores;
  if (provider === null || stores === undefined || provider.name !== phase.order.upstream)
    return Promise.resolve({
      kind: 'unknown',
      cause: new Error('no provider keeps the store of this document any more'),
    });
  const { order } = phase;
  const whole: ImportTurn = {
    ...turn,
    provider: provider.name,
    stores,
    jobs: stores.imports,
    pauses: pausesOf(turn.limits),
    noun: 'an import',
    toWork: (running) => ({ phase: 'running', order, ...running }) satisfies DocumentWork,
  };
  return phase.phase === 'asked'
    ? start(whole, phase)
    : pollProviderJob(whole, phase, { onDone: (result) => finish(whole, result) });
};
