import { createHash } from 'node:crypto';
import { isNotExecuted } from '@tollgate/provider';
import type { IndexedChunk, ResourceRecord } from '@tollgate/storage';
import { withDeadline } from '../../workers/with-deadline.ts';
import type { Engine } from '../../engine.ts';
import { mediaBlobKey } from '../../files/file-blob-key.ts';
import { readBlob } from '../../operations/pending-blobs.ts';
import { patienceOf, persist } from '../../operations/persist.ts';
import { accessLost } from '../../workers/access-lost.ts';
import { callInTime } from '../../workers/call-in-time.ts';
import type { KnownPart, Work, WorkContext, WorkKind, WorkOutcome } from '../../workers/work-kind.ts';
import { isTransient, retryAfterMsOf } from '../../workers/is-transient.ts';
import { askOutside } from '../ask-outside.ts';
import type { ModelRoute } from '../model-route.ts';
import { chunkPages, type TextChunk } from './chunk-pages.ts';
import { coverHold } from './cover-hold.ts';
import { toDocumentLimits, type DocumentLimits } from './document-limits.ts';
import { documentWork, type DocumentOrder, type DocumentProgress, type DocumentWork } from './document-work.ts';
import { importDocument } from './import-document.ts';
import { toEmbeddingCall, toVectors } from './embed-chunks.ts';
import { addUsage, toIndexUsage } from './index-usage.ts';
import { readPlainText } from './plain-text.ts';
import type { PdfReader, ReadDocument } from './read-document.ts';

export interface DocumentKindOptions {
  readonly engine: Engine;
  /** Who makes the vectors of a public model now; null where none does. */
  readonly findEmbedder: (model: string) => ModelRoute | null;
  /** Null where the host reads no PDF. */
  readonly readPdf: PdfReader | null;
  readonly limits?: Partial<DocumentLimits>;
}

/** When what is kept of the result is first checked; it stays as long as the document. */
const resultKeptMs = 7 * 24 * 3_600_000;
const firstPauseMs = 2_000;
const pauseMsMax = 300_000;

type Asked = Extract<DocumentWork, { readonly phase: 'asked' }>;

/** One turn of work on one document. */
interface Turn {
  readonly engine: Engine;
  readonly options: DocumentKindOptions;
  readonly limits: DocumentLimits;
  readonly work: Work;
  readonly context: WorkContext;
  readonly asked: Asked;
}

const removeChunks = (engine: Engine, documentId: string): Promise<void> =>
  persist(patienceOf(engine), () => engine.storage.vectors.remove(documentId));

/** What was measured before the outcome became unknown; a document that is not whole is not in the index. */
const knownOf = (progress: DocumentProgress | null): { readonly known: KnownPart } | object => {
  if (progress === null || progress.usage.length === 0) return {};
  const closing = {
    availability: 'follows',
    publicFields: {},
    work: { phase: 'indexed' },
    expiresAfterMs: null,
  } as const;
  return { known: { usage: progress.usage, result: '{"chunk_count":0}', closing } satisfies KnownPart };
};

const uncertainOutcome = async (
  engine: Engine,
  work: Work,
  progress: DocumentProgress | null,
  cause: unknown,
): Promise<WorkOutcome> => {
  await removeChunks(engine, work.operation.id);
  return { kind: 'unknown', cause, ...knownOf(progress) };
};

const refuse = async (
  { engine, work }: Turn,
  code: Extract<WorkOutcome, { readonly kind: 'refused' }>['code'],
  cause: unknown,
): Promise<WorkOutcome> => {
  await removeChunks(engine, work.operation.id);
  return { kind: 'refused', code, cause };
};

/** Nothing was executed: it is tried again a few times, from where it stands. */
const tryLater = async (turn: Turn, progress: DocumentProgress | null, cause: unknown): Promise<WorkOutcome> => {
  const tries = turn.asked.tries + 1;
  if (tries >= turn.limits.triesMax) return refuse(turn, 'service_unavailable', cause);
  const afterMs = retryAfterMsOf(cause) ?? Math.min(firstPauseMs * 2 ** tries, pauseMsMax);
  return { kind: 'later', afterMs, work: { ...turn.asked, progress, tries } satisfies DocumentWork };
};

const late = (): Error => new Error('the file took too long to read');

const readText = ({ engine, options, limits, context }: Turn, order: DocumentOrder): Promise<ReadDocument> => {
  const open = () => readBlob(engine, mediaBlobKey(order.fileId));
  const read = async (signal: AbortSignal): Promise<ReadDocument> =>
    order.mimeType === 'application/pdf'
      ? ((await options.readPdf?.(open, signal)) ?? { kind: 'refused', reason: 'unreadable' })
      : readPlainText(open, limits.charactersMax);
  return withDeadline(engine.clock, { ms: limits.readMs, late, signal: context.signal, grace: 'microtasks' }, read);
};

/** A file that cannot be read now is tried again: no upstream request is in flight meanwhile. */
const readIfPossible = async (
  turn: Turn,
): Promise<ReadDocument | { readonly kind: 'unread'; readonly cause: unknown }> => {
  try {
    return await readText(turn, turn.asked.order);
  } catch (cause) {
    if (turn.context.signal.aborted) throw cause;
    return { kind: 'unread', cause };
  }
};

const digestOf = (chunks: readonly TextChunk[]): string => {
  const hash = createHash('sha256');
  for (const { page, startIndex, text } of chunks) hash.update(`${page ?? ''} ${startIndex} ${text.length}\n${text}\n`);
  return hash.digest('hex');
};

/** As many of the chunks from there as one call takes. */
const nextChunks = (chunks: readonly TextChunk[], from: number, limits: DocumentLimits): readonly TextChunk[] => {
  let characters = 0;
  let to = from;
  while (to < chunks.length && to - from < limits.textsPerCallMax) {
    characters += chunks[to]?.text.length ?? 0;
    if (to > from && characters > limits.charactersPerCallMax) break;
    to += 1;
  }
  return chunks.slice(from, to);
};

const toIndexed = (
  { work, asked }: Turn,
  given: { readonly chunks: readonly TextChunk[]; readonly from: number; readonly vectors: readonly Float32Array[] },
): readonly IndexedChunk[] =>
  given.vectors.flatMap((vector, index) => {
    const chunk = given.chunks[index];
    const { storeId } = asked.order;
    return chunk === undefined
      ? []
      : [{ ...chunk, storeId, documentId: work.operation.id, place: given.from + index, vector }];
  });

/** Embeds one call's worth, which was marked as handed over, and puts it into the index. */
const indexNext = async (
  turn: Turn,
  embedder: ModelRoute,
  chunks: readonly TextChunk[],
  progress: DocumentProgress,
): Promise<DocumentProgress> => {
  const { engine, work, context, asked } = turn;
  const asking = {
    operationId: work.operation.id,
    texts: chunks.map(({ text }) => text),
    dimensions: asked.order.dimensions,
    task: 'RETRIEVAL_DOCUMENT',
  } as const;
  const { provider } = embedder;
  const call = toEmbeddingCall(embedder, asking);
  const embedded = await callInTime(engine, context.callContext(provider.name), engine.limits.executionMs, (each) => {
    if (provider.embed === undefined) throw new Error('no provider makes embeddings');
    return provider.embed(call, each);
  });
  const vectors = toVectors(asking, embedded);
  const indexed = toIndexed(turn, { chunks, from: progress.done, vectors });
  await persist(patienceOf(engine), () => engine.storage.vectors.put(indexed));
  if (embedded.usage.length === 0) throw new Error('a call without a measure');
  return {
    ...progress,
    done: progress.done + indexed.length,
    usage: addUsage(progress.usage, toIndexUsage(embedded.usage)),
  };
};

const indexAll = async (
  turn: Turn,
  embedder: ModelRoute,
  chunks: readonly TextChunk[],
  begun: DocumentProgress,
): Promise<WorkOutcome> => {
  const { engine, work, context, limits } = turn;
  const { order } = turn.asked;
  let progress = begun;
  while (progress.done < chunks.length) {
    const next = nextChunks(chunks, progress.done, limits);
    // Calls follow one another: each is marked before it is made, with what the ones before it came to.
    await context.checkpoint({ phase: 'submitting', order, progress } satisfies DocumentWork);
    try {
      progress = await indexNext(turn, embedder, next, progress);
    } catch (cause) {
      if (isTransient(cause)) return tryLater(turn, progress, cause);
      if (!isNotExecuted(cause)) return uncertainOutcome(engine, work, progress, cause);
      await removeChunks(engine, work.operation.id);
      throw cause;
    }
  }
  return {
    kind: 'done',
    usage: progress.usage,
    result: JSON.stringify({ chunk_count: chunks.length }),
    closing: {
      availability: 'follows',
      publicFields: {},
      work: { phase: 'indexed' } satisfies DocumentWork,
      expiresAfterMs: null,
    },
  };
};

const refusalCodes = { unreadable: 'unsupported_content', too_long: 'input_limit' } as const;

const index = async (turn: Turn): Promise<WorkOutcome> => {
  const { engine, options, work, asked, limits, context } = turn;
  const embedder = options.findEmbedder(work.resource.model);
  if (embedder?.provider.embed === undefined)
    return tryLater(turn, asked.progress, new Error('no provider makes embeddings of this model now'));
  const read = await readIfPossible(turn);
  if (read.kind === 'unread') return tryLater(turn, asked.progress, read.cause);
  if (read.kind === 'refused') return refuse(turn, refusalCodes[read.reason], new Error(read.reason));
  const chunks = chunkPages(read.pages, limits);
  if (chunks === null) return refuse(turn, 'input_limit', new Error('more chunks than allowed'));
  if (chunks.length === 0) return refuse(turn, 'unsupported_content', new Error('a document without text'));
  const digest = digestOf(chunks);
  const progress = asked.progress ?? { digest, done: 0, usage: [] };
  if (progress.digest !== digest)
    return uncertainOutcome(engine, work, progress, new Error('the document reads otherwise than before'));
  // What was begun is carried to its end.
  if (progress.done > 0) return indexAll(turn, embedder, chunks, progress);
  const lost = await context.accessRefusal();
  if (lost !== null) return refuse(turn, lost, new Error(accessLost));
  if (!(await coverHold(engine, work.operation, chunks)))
    return refuse(turn, 'ai_insufficient_credits', new Error('the text costs more than there is'));
  return indexAll(turn, embedder, chunks, progress);
};

const takeTurn = (
  options: DocumentKindOptions,
  limits: DocumentLimits,
  work: Work,
  context: WorkContext,
): Promise<WorkOutcome> => {
  const { engine } = options;
  const phase = documentWork(work.resource.work);
  if (phase?.phase !== 'asked' && phase?.phase !== 'running') {
    const progress = phase?.phase === 'submitting' ? phase.progress : null;
    return uncertainOutcome(engine, work, progress, new Error('whether the chunks were embedded is not known'));
  }
  if (phase.phase === 'running' || phase.order.upstream !== undefined) {
    const provider = options.findEmbedder(work.resource.model)?.provider ?? null;
    return importDocument({ engine, limits, work, context }, phase, provider);
  }
  return index({ engine, options, limits, work, context, asked: phase });
};

const discard = async ({ engine, findEmbedder }: DocumentKindOptions, resource: ResourceRecord): Promise<void> => {
  const work = documentWork(resource.work);
  const upstream = work?.phase === 'indexed' ? work.upstream : undefined;
  if (upstream === undefined) return removeChunks(engine, resource.id);
  const provider = findEmbedder(resource.model)?.provider;
  // Where no provider of that name is left, it cannot be removed.
  if (provider?.name !== upstream.provider) return;
  const { stores } = provider;
  if (stores !== undefined)
    await askOutside(engine, resource, (context) => stores.removeDocument(upstream.reference, context));
};

// documents:*
/** How documents are indexed: read, cut, embedded call by call, and searched only once they are completed. */
export const documentKind = (options: DocumentKindOptions): WorkKind => {
  const limits = toDocumentLimits(options.limits);
  return {
    kind: 'document',
    runningMax: limits.documentsAtOnce,
    runningPerProjectMax: limits.documentsPerProject,
    resultKeptMs,
    run: (work, context) => takeTurn(options, limits, work, context),
    discard: (resource) => discard(options, resource),
  };
};
