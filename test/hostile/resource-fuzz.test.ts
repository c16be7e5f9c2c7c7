import { expect, test } from 'vitest';
import { mediaSamples } from '../clients/media-samples.ts';
import { startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import { hostileBody } from './evil-text.ts';
import { chooseFrom, createRandom, mutate } from './mutations.ts';

const requestsCount = 200 * Number(process.env['TEST_SCALE'] ?? '1');
const atOnce = 8;
const seed = 20_261_125;

const user = { role: 'user', content: 'Hello' };
const dataUrl = `data:image/png;base64,${mediaSamples.png}`;
const params = { model: 'flash-3.8', max_tokens: 8, messages: [user] };

/** A resource in the form of a dialect, and how a body for it is sent. */
interface Target {
  readonly name: string;
  readonly path: string;
  readonly bodies: readonly object[];
  readonly model?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

const turn = { role: 'user', parts: [{ text: 'Hello' }] };
const png = { mimeType: 'image/png', data: mediaSamples.png };
const chat = { messages: [user], max_tokens: 8 };
const line = (url: string, custom_id: string, body: object): object => ({ custom_id, method: 'POST', url, body });

/** Lines of a file, of which one is spoilt. */
const lines: readonly object[] = [
  line('/v1/chat/completions', 'b', chat),
  line('/v1/chat/completions', 'b', {
    ...chat,
    messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: dataUrl } }] }],
    tools: [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }],
  }),
];

const targets: readonly Target[] = [
  {
    name: 'batches of messages',
    path: '/messages/batches',
    bodies: [
      { requests: [{ custom_id: 'a', params }] },
      {
        requests: [
          { custom_id: 'a', params },
          { custom_id: 'b', params: { ...params, system: 'Be brief.', stop_sequences: ['END'] } },
        ],
      },
    ],
  },
  {
    name: 'videos of this wire',
    path: '/videos',
    model: 'video-3.1-generate-preview',
    bodies: [
      { prompt: 'A ferry.', seconds: '4', size: '1280x720' },
      { prompt: 'A ferry.', seconds: 4, input_reference: { image_url: dataUrl } },
    ],
  },
  {
    name: 'vector stores',
    path: '/vector_stores',
    bodies: [
      { name: 'Shelf', metadata: { a: 'b' }, description: 'Books.' },
      { file_ids: ['0190f3a0-0000-7000-8000-00000000000a'], chunking_strategy: { type: 'auto' } },
    ],
  },
  {
    name: 'searches of a vector store',
    path: '/vector_stores/{store}/search',
    bodies: [
      { query: 'When?', max_num_results: 5 },
      { query: ['When?'], ranking_options: { ranker: 'auto', score_threshold: 0.5 }, rewrite_query: false },
    ],
  },
  { name: 'batches of a file', path: '/batches', bodies: lines },
  {
    name: 'batches of a file of Google',
    path: '/v1beta/models/flash-3.8:batchGenerateContent',
    bodies: [
      { key: 'b', request: { contents: [turn], generation_config: { max_output_tokens: 8 } } },
      { key: 'b', request: { model: 'models/flash-3.8', contents: [{ parts: [{ inlineData: png }] }] } },
    ],
  },
  {
    name: 'caches of Google',
    path: '/v1beta/cachedContents',
    bodies: [
      {
        model: 'models/flash-3.8',
        ttl: '600s',
        displayName: 'Book',
        contents: [turn],
        systemInstruction: { parts: [{ text: 'Be kind.' }] },
      },
      { expireTime: '2099-11-20T12:00:00Z', contents: [{ parts: [{ inlineData: png }, { text: 'Look.' }] }] },
    ],
  },
  {
    name: 'batches of Google',
    path: '/v1beta/models/flash-3.8:batchGenerateContent',
    bodies: [
      {
        batch: {
          displayName: 'Night',
          inputConfig: {
            requests: {
              requests: [
                { request: { model: 'models/flash-3.8', contents: [turn] }, metadata: { key: 'a' } },
                { request: { contents: [turn], generationConfig: { maxOutputTokens: 8 } } },
              ],
            },
          },
        },
      },
    ],
  },
  {
    name: 'stores of Google',
    path: '/v1beta/fileSearchStores',
    bodies: [{ displayName: 'Manuals' }, { displayName: 'Manuals', embeddingModel: 'models/embedding-2' }],
  },
  {
    name: 'imports into a store of Google',
    path: '/v1beta/fileSearchStores/{store}:importFile',
    bodies: [{ fileName: 'files/{file}' }, { file_name: '{file}', customMetadata: [{ key: 'a', stringValue: 'b' }] }],
  },
  {
    name: 'uploads to a store of Google',
    path: '/upload/v1beta/fileSearchStores/{store}:uploadToFileSearchStore',
    headers: { 'x-goog-upload-command': 'start' },
    bodies: [{ displayName: 'a.txt', mimeType: 'text/plain' }, { mimeType: 'text/plain' }],
  },
  {
    name: 'videos of Google',
    path: '/v1beta/models/video-3.1-generate-preview:predictLongRunning',
    model: 'video-3.1-generate-preview',
    bodies: [
      { instances: [{ prompt: 'A ferry.' }], parameters: { sampleCount: 1, durationSeconds: 4, aspectRatio: '16:9' } },
      {
        instances: [{ prompt: 'A ferry.', image: { bytesBase64Encoded: mediaSamples.png, mimeType: 'image/png' } }],
      },
    ],
  },
  {
    name: 'tokens of Google',
    path: '/v1beta/auth_tokens',
    model: 'flash-2.5-native-audio-latest',
    bodies: [
      {
        uses: 1,
        bidiGenerateContentSetup: {
          model: 'models/flash-2.5-native-audio-latest',
          generationConfig: { responseModalities: ['TEXT'], temperature: 1 },
          systemInstruction: { parts: [{ text: 'Be brief.' }] },
          tools: [{ functionDeclarations: [{ name: 'look', parametersJsonSchema: { type: 'object' } }] }],
        },
      },
    ],
  },
];

const internals = /node_modules|\.ts\b|\.js\b|zod|sqlite|stack|Error\b|undefined|\[object|packages\//;

const faultOf = (status: number, text: string): string | null => {
  if (status === 200) return null;
  if (status >= 500 || status === 401 || status === 409) return `status ${status}`;
  const { error } = JSON.parse(text) as { readonly error: { readonly message: string } };
  if (text.length > 900) return `a long error: ${text.slice(0, 200)}`;
  return internals.test(error.message.replaceAll(/The field \S+|is "[\w.:-]+"/g, '')) ? error.message : null;
};

const headersOf = ({ key }: RunningGateway) => ({ authorization: `Bearer ${key}` });

const post = (
  running: RunningGateway,
  path: string,
  body: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(`${running.baseUrl}${path}`, {
    method: 'POST',
    headers: { ...headersOf(running), 'content-type': 'application/json', ...headers },
    body,
  });

const googleLine = (key: string): object => ({ key, request: { contents: [turn] } });

/** How a batch of a file is asked for. */
interface FileAsk {
  readonly path: string;
  readonly good: (id: string) => string;
  readonly ask: (fileId: string) => object;
}

const fileAsks: readonly FileAsk[] = [
  {
    path: '/batches',
    good: (id) => JSON.stringify(line('/v1/chat/completions', id, chat)),
    ask: (id) => ({ input_file_id: id, endpoint: '/v1/chat/completions', completion_window: '24h' }),
  },
  {
    path: '/v1beta/models/flash-3.8:batchGenerateContent',
    good: (id) => JSON.stringify(googleLine(id)),
    ask: (id) => ({ batch: { inputConfig: { fileName: `files/${id}` } } }),
  },
];

/** Uploads the line between two good ones, and asks for a batch of the file. Bytes that are no text are refused as a file. */
const postFile = async (
  running: RunningGateway,
  { path, good, ask }: FileAsk,
  body: Uint8Array<ArrayBuffer>,
): Promise<Response> => {
  const form = new FormData();
  form.set('purpose', 'batch');
  form.set('file', new Blob([`${good('a')}\n`, body, `\n${good('c')}\n`]), 'a.jsonl');
  const uploaded = await fetch(`${running.baseUrl}/files`, { method: 'POST', headers: headersOf(running), body: form });
  if (uploaded.status !== 201) return uploaded;
  const { id } = (await uploaded.json()) as { readonly id: string };
  const response = await post(running, path, Buffer.from(JSON.stringify(ask(id))));
  await fetch(`${running.baseUrl}/files/${id}`, { method: 'DELETE', headers: headersOf(running) });
  return response;
};

const storeIdIn = async (running: RunningGateway): Promise<string> => {
  const response = await post(running, '/vector_stores', Buffer.from('{}'));
  return ((await response.json()) as { readonly id: string }).id;
};

const fileIdIn = async (running: RunningGateway): Promise<string> => {
  const form = new FormData();
  form.set('file', new Blob(['Ships.'], { type: 'text/plain' }), 'a.txt');
  const response = await fetch(`${running.baseUrl}/files`, { method: 'POST', headers: headersOf(running), body: form });
  return ((await response.json()) as { readonly id: string }).id;
};

/** The target with the ids of a store and of a file that are there. */
const preparedIn = async (running: RunningGateway, target: Target): Promise<Target> => {
  const [store, file] = [await storeIdIn(running), await fileIdIn(running)];
  const named = JSON.stringify(target).replaceAll('{store}', store).replaceAll('{file}', file);
  return JSON.parse(named) as Target;
};

const bodiesOf = ({ bodies }: Target, random: () => number): readonly Uint8Array<ArrayBuffer>[] =>
  Array.from({ length: requestsCount }, () => {
    const valid = chooseFrom(random, bodies);
    return random() < 0.5 ? mutate(valid, random) : hostileBody(valid, random);
  });

test.each(targets)(
  'requests for $name that are nearly right are refused or run, and keep the ledger',
  async (target) => {
    const running = await startGateway({
      options: { compatibility: { openai: true, anthropic: true, google: true } },
      ...(target.model !== undefined && { model: target.model }),
    });
    const { path, headers = {}, ...prepared } = await preparedIn(running, target);
    const faults: string[] = [];
    let taken = 0;
    const ofFile = prepared.name.startsWith('batches of a file')
      ? fileAsks.find((each) => each.path === path)
      : undefined;
    const work = bodiesOf({ path, ...prepared }, createRandom(seed))[Symbol.iterator]();
    const worker = async (): Promise<void> => {
      for (const body of work) {
        const response = await (ofFile === undefined
          ? post(running, path, body, headers)
          : postFile(running, ofFile, body));
        const text = await response.text();
        const fault = faultOf(response.status, text);
        if (fault !== null) faults.push(`${fault}: ${Buffer.from(body).toString('utf8').slice(0, 400)}`);
        if (response.status === 200) taken += 1;
        await running.gateway.jobs.runDue();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    expect(faults).toEqual([]);
    expect(running.errors).toEqual([]);
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(requestsCount);
    await running.close();
  },
);
