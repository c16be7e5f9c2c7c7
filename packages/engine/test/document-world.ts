import type { Embeddings, Provider, ProviderStores } from '@tollgate/provider';
import type { FoundResource } from '../src/resources/find-resource.ts';
import { createResource, type CreateResourceOutcome } from '../src/resources/create-resource.ts';
import { findResource } from '../src/resources/find-resource.ts';
import type { ResourcePlan } from '../src/resources/resource-plan.ts';
import { createEngine } from '../src/create-engine.ts';
import type { Engine, EngineOptions } from '../src/engine.ts';
import { documentKind, type DocumentKindOptions } from '../src/resources/document/document-kind.ts';
import { openDocument } from '../src/resources/document/document-work.ts';
import { openStore, storeWork } from '../src/resources/store/store-work.ts';
import { storeKind } from '../src/resources/store/store-kind.ts';
import { searchDocuments, type FoundPassage } from '../src/search/search-documents.ts';
import { parseTariff } from '../src/ledger/tariff.ts';
import type { ModelRoute } from '../src/resources/model-route.ts';
import { createFileWorld, type FileWorld } from './file-world.ts';
import { giveKinds, sweep, workersOf } from './process-parts.ts';

/** What the embedder does with the next call; when the script ends, it embeds. */
export type EmbedStep = (answer: Embeddings) => Embeddings | Promise<Embeddings>;

export interface DocumentWorld extends FileWorld {
  /** The texts of each call that was handed over. */
  readonly handed: (readonly string[])[];
  readonly scriptEmbeds: (...steps: readonly EmbedStep[]) => void;
  /** A store of the gateway's, or one that the embedder keeps itself. */
  readonly createStore: (more?: { readonly upstream?: true }) => Promise<string>;
  /** Uploads the text and opens a document of it. */
  readonly open: (storeId: string, text: string) => Promise<CreateResourceOutcome>;
  /** The same, which must be registered; returns its id. */
  readonly index: (storeId: string, text: string) => Promise<string>;
  readonly find: (kind: 'store' | 'document', id: string) => Promise<FoundResource>;
  readonly work: (engine?: Engine) => Promise<void>;
  readonly search: (
    storeIds: readonly string[],
    query: string,
    limit?: number,
    projectId?: string,
  ) => Promise<readonly FoundPassage[]>;
  readonly embedder: ModelRoute;
  readonly reserved: () => Promise<bigint>;
  /** Chunks that lie in the index, visible or not. */
  readonly chunks: (storeId: string) => Promise<number>;
  /** Another process, with its own options for the storage. */
  readonly process: (options?: Partial<EngineOptions>) => Engine;
}

const dimensions = 32;

const letters = (word: string): number => Buffer.from(word).reduce((sum, byte) => sum * 31 + byte, 7);

/** Words at places of their own: what shares words lies near. */
const vectorOf = (text: string): readonly number[] => {
  const vector = Array.from({ length: dimensions }, () => 0.001);
  for (const word of text.toLowerCase().match(/\p{L}+/gu) ?? []) {
    const at = letters(word) % dimensions;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  return vector;
};

const wordsOf = (texts: readonly string[]): number => texts.reduce((sum, text) => sum + text.split(/\s+/).length, 0);

const tariff = parseTariff({ version: 'v1', models: { model: { perMillion: { indexing_tokens: '1' } } } });

const createEmbedder = (stores: ProviderStores | undefined) => {
  const handed: (readonly string[])[] = [];
  const steps: EmbedStep[] = [];
  const provider: Provider = {
    name: 'embedder',
    ...(stores === undefined ? {} : { stores }),
    embed: async ({ input }) => {
      const texts = input.kind === 'texts' ? input.texts : [];
      handed.push(texts);
      const answer: Embeddings = {
        vectors: texts.map(vectorOf),
        usage: [{ unit: 'embedding_tokens', quantity: wordsOf(texts), confirmed: true }],
      };
      return (steps.shift() ?? ((one) => one))(answer);
    },
  };
  return { provider, handed, steps };
};

const callContext = () => ({
  caller: { accountId: 'a', projectId: 'p', keyId: 'k' },
  signal: new AbortController().signal,
  recordAttempt: () => undefined,
});

const createdId = (outcome: CreateResourceOutcome): string => {
  if (outcome.kind !== 'created') throw new Error(`refused: ${outcome.code}`);
  return outcome.found.operation.id;
};

type Asked = Pick<ResourcePlan, 'access' | 'model' | 'identity' | 'fingerprint' | 'refusal'>;

/** What opens stores and documents, as routes do. */
const createOpeners = (files: FileWorld, asked: Asked): Pick<DocumentWorld, 'open' | 'createStore'> => {
  const open: DocumentWorld['open'] = async (storeId, text) => {
    const file = await files.upload({ text });
    const store = (await files.storage.read([{ table: 'resource', id: storeId }])).get('resource', storeId);
    const upstream = storeWork(store?.work)?.upstream;
    const kept = upstream === undefined ? {} : { upstream: upstream.provider };
    const order = { storeId, fileId: file.id, mimeType: 'text/plain', dimensions: null, ...kept };
    return createResource(files.engine, {
      ...asked,
      kind: 'document',
      estimate: [{ unit: 'indexing_tokens', quantity: 20 }],
      draft: openDocument(order, file.displayName),
      uses: [{ id: storeId, kind: 'store', model: null }],
      files: [file.id],
    });
  };
  const createStore: DocumentWorld['createStore'] = async ({ upstream } = {}) =>
    createdId(
      await createResource(files.engine, {
        ...asked,
        kind: 'store',
        estimate: null,
        draft: openStore(null, {
          dimensions: null,
          ...(upstream === true ? { upstream: { provider: 'embedder', reference: null } } : {}),
        }),
        uses: [],
      }),
    );
  return { open, createStore };
};

/** A world with stores, documents and an embedder; a word costs one micro-credit. */
export const createDocumentWorld = async (
  limits: DocumentKindOptions['limits'] = {},
  depositMicros = 10_000n,
  stores?: ProviderStores,
): Promise<DocumentWorld> => {
  const files = await createFileWorld({ tariff });
  const { storage, accountId, projectId, keyId } = files;
  if (depositMicros > 0n) await files.admin.deposit({ accountId, amountMicros: depositMicros, reference: 'documents' });
  const { provider, handed, steps } = createEmbedder(stores);
  const embedder = { provider, upstreamModel: 'upstream' };
  const findEmbedder = () => embedder;
  const register = (engine: Engine): Engine => {
    giveKinds(engine, storeKind({ engine, findProvider: () => provider }));
    giveKinds(engine, documentKind({ engine, findEmbedder, readPdf: null, limits }));
    return engine;
  };
  const process = (options: Partial<EngineOptions> = {}): Engine => {
    const { newId, clock, logger } = files.engine;
    return register(createEngine({ storage, tariff, newId, ...clock, logger, ...options }));
  };
  const engine = register(files.engine);
  const access = { accountId, projectId, keyId };
  const asked = { access, model: 'model', identity: null, fingerprint: 'body', refusal: null };
  const find: DocumentWorld['find'] = async (kind, id) => {
    const found = await findResource(engine, projectId, kind, id);
    if (found === null) throw new Error(`no such ${kind}`);
    return found;
  };
  const { open, createStore } = createOpeners(files, asked);
  return Object.assign(files, {
    embedder,
    handed,
    scriptEmbeds: (...more: readonly EmbedStep[]) => void steps.push(...more),
    createStore,
    open,
    index: async (storeId: string, text: string) => createdId(await open(storeId, text)),
    find,
    work: async (on: Engine = engine) => {
      await sweep(on);
      await workersOf(on).idle();
    },
    search: async (storeIds: readonly string[], query: string, limit = 3, project = projectId) => {
      const options = { engine, findEmbedder, callContext };
      return (await searchDocuments(options, { operationId: 'search', projectId: project, storeIds, query, limit }))
        .passages;
    },
    reserved: async () =>
      (await storage.read([{ table: 'wallet', id: accountId }])).get('wallet', accountId)?.reservedMicros ?? 0n,
    chunks: async (storeId: string) => {
      const vector = Float32Array.from(vectorOf('anything'));
      return (await storage.vectors.search({ storeIds: [storeId], vector, limit: 1_000 })).length;
    },
    process,
  });
};
