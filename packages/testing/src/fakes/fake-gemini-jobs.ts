import type { FakeFileAnswer, FakeFileRequest } from './fake-gemini-files.ts';
import { fakeGeminiResponse, listOf, recordOf, type WireRecord } from './fake-gemini-wire.ts';

/** Work that the upstream does in its own time, and what it keeps: videos, batches, interactions and caches. */
export interface FakeGeminiJobs {
  /** Undefined where the request is none of this API. */
  readonly handle: (request: FakeFileRequest) => FakeFileAnswer | undefined;
  /** Names of the caches that it keeps. */
  readonly caches: () => readonly string[];
  /** Names of the stores that it keeps, and of the documents in them. */
  readonly stores: () => readonly string[];
}

/** The bytes of a video that the upstream made. */
export const fakeGeminiVideo: Buffer = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 31) % 251));

/** Usage of an interaction: 10 tokens in, 5 out. */
export const fakeInteractionUsage: WireRecord = {
  total_input_tokens: 10,
  total_output_tokens: 5,
  total_tokens: 15,
  input_tokens_by_modality: [{ modality: 'text', tokens: 10 }],
};

interface State {
  readonly origin: () => string;
  /** Resources by their name, as a question for them is answered. */
  readonly made: Map<string, WireRecord>;
  readonly caches: Map<string, WireRecord>;
  readonly stores: Set<string>;
  count: number;
}

const ok = (body: WireRecord): FakeFileAnswer => ({ status: 200, body });

const refused = (status: number, name: string, message: string): FakeFileAnswer => ({
  status,
  body: { error: { code: status, message, status: name } },
});

const next = (state: State): number => {
  state.count += 1;
  return state.count;
};

const parametersFields = new Set([
  'sampleCount',
  'aspectRatio',
  'resolution',
  'durationSeconds',
  'negativePrompt',
  'seed',
]);

const makeVideo = (state: State, model: string, body: unknown): FakeFileAnswer => {
  const request = recordOf(body);
  const [instance] = listOf(request['instances']);
  const { prompt, image, video, lastFrame } = recordOf(instance);
  const unknown = Object.keys(recordOf(request['parameters'])).find((name) => !parametersFields.has(name));
  if (unknown !== undefined) return refused(400, 'INVALID_ARGUMENT', `Unknown name "${unknown}".`);
  if (prompt === undefined && image === undefined && video === undefined)
    return refused(400, 'INVALID_ARGUMENT', 'A prompt is missing.');
  if (lastFrame !== undefined && image === undefined)
    return refused(400, 'INVALID_ARGUMENT', 'lastFrame needs an image.');
  const id = next(state);
  const name = `models/${model}/operations/op-${id}`;
  const uri = `${state.origin()}/v1beta/files/video-${id}:download?alt=media`;
  state.made.set(name, {
    name,
    done: true,
    response: { generateVideoResponse: { generatedSamples: [{ video: { uri } }] } },
  });
  return ok({ name });
};

const resultOf = (value: unknown, isEmbedding: boolean): WireRecord => {
  const { metadata, request } = recordOf(value);
  const text = JSON.stringify(request).length;
  const response = isEmbedding ? { embedding: { values: [text, 1, 2] } } : fakeGeminiResponse();
  return { metadata, response };
};

const makeBatch = (state: State, body: unknown, isEmbedding: boolean): FakeFileAnswer => {
  const { displayName, inputConfig } = recordOf(recordOf(body)['batch']);
  const requests = listOf(recordOf(recordOf(inputConfig)['requests'])['requests']);
  if (requests.length === 0) return refused(400, 'INVALID_ARGUMENT', 'There are no requests.');
  const name = `batches/batch-${next(state)}`;
  const inlinedResponses = requests.map((request) => resultOf(request, isEmbedding));
  const output = { [isEmbedding ? 'inlinedEmbedContentResponses' : 'inlinedResponses']: { inlinedResponses } };
  state.made.set(name, {
    name,
    done: true,
    metadata: { state: 'BATCH_STATE_SUCCEEDED', displayName, output },
  });
  return ok({ name, metadata: { state: 'BATCH_STATE_PENDING' } });
};

const makeInteraction = (state: State, body: unknown): FakeFileAnswer => {
  const { model, agent, input, background } = recordOf(body);
  const isOne = (model === undefined) !== (agent === undefined);
  if (!isOne || listOf(input).length === 0)
    return {
      status: 400,
      body: { error: { code: 'invalid_request', message: 'One of model and agent, and an input.' } },
    };
  const id = `interaction-${next(state)}`;
  const content = [{ type: 'text', text: 'Hello from upstream.' }];
  const done = {
    id,
    status: 'completed',
    steps: [{ type: 'model_output', content }],
    usage: fakeInteractionUsage,
  };
  state.made.set(`interactions/${id}`, done);
  return ok(background === true ? { id, status: 'in_progress' } : done);
};

const minimumTtl = /^\d+s$/;

const makeCache = (state: State, body: unknown): FakeFileAnswer => {
  const { model, ttl, contents } = recordOf(body);
  if (typeof model !== 'string' || typeof ttl !== 'string' || !minimumTtl.test(ttl) || listOf(contents).length === 0)
    return refused(400, 'INVALID_ARGUMENT', 'A model, a ttl and contents are needed.');
  const name = `cachedContents/cache-${next(state)}`;
  state.caches.set(name, { ttl });
  return ok({ name, model, usageMetadata: { totalTokenCount: 2_048 } });
};

const processCache = (state: State, name: string, { method, body }: FakeFileRequest): FakeFileAnswer => {
  if (!state.caches.has(name)) return refused(403, 'PERMISSION_DENIED', 'CachedContent not found (or denied).');
  if (method === 'DELETE') {
    state.caches.delete(name);
    return ok({});
  }
  state.caches.set(name, recordOf(body));
  return ok({ name, ...recordOf(body) });
};

const makeStore = (state: State, body: unknown): FakeFileAnswer => {
  const name = `fileSearchStores/store-${next(state)}`;
  state.stores.add(name);
  return ok({ name, displayName: recordOf(body)['displayName'] });
};

const importFile = (state: State, store: string, body: unknown): FakeFileAnswer => {
  const { fileName } = recordOf(body);
  if (!state.stores.has(store) || typeof fileName !== 'string')
    return refused(404, 'NOT_FOUND', 'Requested entity was not found.');
  const id = next(state);
  const name = `${store}/operations/op-${id}`;
  const documentName = `${store}/documents/document-${id}`;
  state.stores.add(documentName);
  state.made.set(name, { name, done: true, response: { parent: store, documentName } });
  return ok({ name });
};

/** Without force a store that holds something stays. */
const removeStore = (state: State, name: string, path: string): FakeFileAnswer => {
  if (!state.stores.has(name)) return refused(403, 'PERMISSION_DENIED', 'The store is not there, or denied.');
  const held = [...state.stores].filter((one) => one.startsWith(`${name}/`));
  if (held.length > 0 && !path.includes('force=true'))
    return refused(400, 'FAILED_PRECONDITION', 'The store is not empty.');
  for (const one of [name, ...held]) state.stores.delete(one);
  return ok({});
};

const stopped = (name: string): WireRecord =>
  name.startsWith('batches/')
    ? { name, done: true, metadata: { state: 'BATCH_STATE_CANCELLED' }, error: { code: 1, message: 'Cancelled.' } }
    : { id: name.slice('interactions/'.length), status: 'cancelled', steps: [], usage: fakeInteractionUsage };

const cancel = (state: State, name: string): FakeFileAnswer => {
  if (!state.made.has(name)) return refused(404, 'NOT_FOUND', 'Requested entity was not found.');
  state.made.set(name, stopped(name));
  return ok({});
};

const post = (state: State, path: string, body: unknown): FakeFileAnswer | undefined => {
  const [, model = '', verb = ''] = /^models\/([^/:]+):(\w+)$/.exec(path) ?? [];
  if (verb === 'predictLongRunning') return makeVideo(state, model, body);
  if (verb === 'batchGenerateContent') return makeBatch(state, body, false);
  if (verb === 'asyncBatchEmbedContent') return makeBatch(state, body, true);
  if (path === 'interactions') return makeInteraction(state, body);
  if (path === 'cachedContents') return makeCache(state, body);
  if (path === 'fileSearchStores') return makeStore(state, body);
  const [, store] = /^(fileSearchStores\/[^/:]+):importFile$/.exec(path) ?? [];
  if (store !== undefined) return importFile(state, store, body);
  const stop = /^(batches\/[^/:]+):cancel$|^(interactions\/[^/:]+)\/cancel$/.exec(path);
  return stop === null ? undefined : cancel(state, stop[1] ?? stop[2] ?? '');
};

/** Everything is done as soon as it is asked for; a test says otherwise by a script. */
export const createFakeGeminiJobs = (origin: () => string): FakeGeminiJobs => {
  const state: State = { origin, made: new Map(), caches: new Map(), stores: new Set(), count: 0 };
  return {
    caches: () => [...state.caches.keys()],
    stores: () => [...state.stores],
    handle: (request) => {
      const { method, path, body } = request;
      const [, name = ''] = /^(?:\/[^/]+)?\/v1(?:beta)?\/([^?]+)/.exec(path) ?? [];
      if (name.startsWith('cachedContents/')) return processCache(state, name, request);
      if (method === 'POST') return post(state, name, body);
      if (method === 'DELETE' && name.startsWith('fileSearchStores/')) return removeStore(state, name, path);
      if (method !== 'GET') return undefined;
      if (/^files\/video-\d+:download$/.test(name))
        return { status: 200, body: fakeGeminiVideo, headers: { 'content-type': 'video/mp4' } };
      const found = state.made.get(name);
      return found === undefined ? undefined : ok(found);
    },
  };
};
