import type { CallContext, Usage } from '@tollgate/provider';
import { foundChunksMax, type FoundChunk, type ResourceRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { addUsage } from '../resources/document/index-usage.ts';
import { toEmbeddingCall, toVectors } from '../resources/document/embed-chunks.ts';
import { wireOf, type ResourceWire } from '../resources/resource-wire.ts';
import { storeWork } from '../resources/store/store-work.ts';
import { callInTime } from '../workers/call-in-time.ts';
import type { ModelRoute } from '../resources/model-route.ts';

export interface DocumentSearch {
  readonly operationId: string;
  readonly projectId: string;
  readonly storeIds: readonly string[];
  readonly query: string;
  /** Passages wanted at the most. */
  readonly limit: number;
}

/** A passage of a document, as a client may be shown it. */
export interface FoundPassage {
  readonly storeId: string;
  readonly documentId: string;
  readonly fileId: string;
  readonly fileName: string;
  readonly page: number | null;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly text: string;
  readonly score: number;
  /** The form in which its document was asked for; null for the contract's. */
  readonly wire: ResourceWire | null;
}

export interface DocumentFindings {
  /** The nearest first. */
  readonly passages: readonly FoundPassage[];
  readonly usage: readonly Usage[];
}

export interface DocumentSearchOptions {
  readonly engine: Engine;
  readonly findEmbedder: (model: string) => ModelRoute | null;
  readonly callContext: (provider: string) => CallContext;
}

/** Stores whose vectors are of one kind: a query is embedded once for all of them. */
interface StoreGroup {
  readonly model: string;
  readonly dimensions: number | null;
  readonly storeIds: string[];
}

const fieldOf = (shown: unknown, name: string): unknown =>
  typeof shown === 'object' && shown !== null ? Reflect.get(shown, name) : undefined;

const isSearchable = (store: ResourceRecord | undefined, projectId: string): store is ResourceRecord =>
  store?.kind === 'store' &&
  store.projectId === projectId &&
  store.availability === 'active' &&
  // What a provider keeps itself, it searches itself.
  storeWork(store.work)?.upstream === undefined &&
  fieldOf(store.publicFields, 'document_count') !== 0;

const findGroups = async (
  { storage }: Pick<Engine, 'storage'>,
  search: DocumentSearch,
): Promise<readonly StoreGroup[]> => {
  const ids = [...new Set(search.storeIds)];
  const records = await storage.read(ids.map((id) => ({ table: 'resource', id }) as const));
  const groups = new Map<string, StoreGroup>();
  for (const id of ids) {
    const store = records.get('resource', id);
    if (!isSearchable(store, search.projectId)) continue;
    const dimensions = storeWork(store.work)?.dimensions ?? null;
    const name = `${store.model} ${dimensions}`;
    const group = groups.get(name) ?? { model: store.model, dimensions, storeIds: [] };
    group.storeIds.push(id);
    groups.set(name, group);
  }
  return [...groups.values()];
};

interface EmbeddedQuery {
  readonly vector: Float32Array;
  readonly usage: readonly Usage[];
}

const embedQuery = async (
  { engine, findEmbedder, callContext }: DocumentSearchOptions,
  group: StoreGroup,
  { operationId, query }: DocumentSearch,
): Promise<EmbeddedQuery> => {
  const embedder = findEmbedder(group.model);
  if (embedder?.provider.embed === undefined) throw new Error(`no provider makes embeddings of ${group.model} now`);
  const { provider } = embedder;
  const asking = { operationId, texts: [query], dimensions: group.dimensions, task: 'RETRIEVAL_QUERY' } as const;
  const embedded = await callInTime(engine, callContext(provider.name), engine.limits.executionMs, (each) => {
    if (provider.embed === undefined) throw new Error('no provider makes embeddings');
    return provider.embed(toEmbeddingCall(embedder, asking), each);
  });
  const [vector] = toVectors(asking, embedded);
  if (vector === undefined) throw new Error('no vector for a query');
  return { vector, usage: embedded.usage };
};

// documents:index:search-after-completion
/** The documents of what was found that are completed and not deleted. */
const findDocuments = async (
  { storage }: Pick<Engine, 'storage'>,
  chunks: readonly FoundChunk[],
): Promise<ReadonlyMap<string, ResourceRecord>> => {
  const ids = [...new Set(chunks.map(({ documentId }) => documentId))];
  if (ids.length === 0) return new Map();
  const records = await storage.read(
    ids.flatMap((id) => [{ table: 'resource', id } as const, { table: 'operation', id } as const]),
  );
  const found = new Map<string, ResourceRecord>();
  for (const id of ids) {
    const document = records.get('resource', id);
    const isShown = document?.availability === 'follows' && records.get('operation', id)?.state === 'completed';
    if (document !== undefined && isShown) found.set(id, document);
  }
  return found;
};

const toPassage = (chunk: FoundChunk, document: ResourceRecord): FoundPassage => {
  const { storeId, documentId, page, startIndex, endIndex, text, score } = chunk;
  const fileId = String(fieldOf(document.publicFields, 'file'));
  return {
    storeId,
    documentId,
    fileId,
    fileName: document.displayName ?? fileId,
    page,
    startIndex,
    endIndex,
    text,
    score,
    wire: wireOf(document),
  };
};

/** Looks further where what lies nearest may not be shown: documents in work, and deleted ones that are still being cleared away. */
const findPassages = async (
  engine: Engine,
  group: StoreGroup,
  vector: Float32Array,
  wanted: number,
): Promise<readonly FoundPassage[]> => {
  for (let limit = wanted; ; limit = Math.min(4 * limit, foundChunksMax)) {
    const chunks = await engine.storage.vectors.search({ storeIds: group.storeIds, vector, limit });
    const documents = await findDocuments(engine, chunks);
    const passages = chunks.flatMap((chunk) => {
      const document = documents.get(chunk.documentId);
      return document === undefined ? [] : [toPassage(chunk, document)];
    });
    if (passages.length >= wanted || chunks.length < limit || limit === foundChunksMax)
      return passages.slice(0, wanted);
  }
};

/**
 * Finds what lies nearest to a question in the completed documents of a project's stores. Each kind of vectors costs one embedding
 * of the question; stores without documents cost nothing. Throws as `Provider.embed` does.
 */
export const searchDocuments = async (
  options: DocumentSearchOptions,
  search: DocumentSearch,
): Promise<DocumentFindings> => {
  let usage: readonly Usage[] = [];
  const passages: FoundPassage[] = [];
  for (const group of await findGroups(options.engine, search)) {
    const embedded = await embedQuery(options, group, search);
    usage = addUsage(usage, embedded.usage);
    passages.push(...(await findPassages(options.engine, group, embedded.vector, search.limit)));
  }
  return { passages: passages.toSorted((a, b) => b.score - a.score).slice(0, search.limit), usage };
};
