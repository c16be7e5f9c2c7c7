import type { RouteId } from '../../packages/contract/src/index.ts';
import { mediaSamples } from '../clients/media-samples.ts';

/** Every kind of record that a path or a body can name. */
export const namedKinds = [
  'file',
  'cache',
  'batch',
  'video',
  'store',
  'document',
  'environment',
  'interaction',
  'agent',
  'webhook',
  'trigger',
  'request',
] as const;
export type NamedKind = (typeof namedKinds)[number];

/** One record of each kind, by its id. */
export type NamedIds = Readonly<Record<NamedKind, string>>;

export const namedIds = (idOf: (kind: NamedKind) => string): NamedIds => {
  const ids = namedKinds.map((kind) => [kind, idOf(kind)] as const);
  return Object.fromEntries(ids) as NamedIds;
};

/** The segment of a path below which records of the kind stand. */
export const collectionOf = (kind: NamedKind): string => (kind === 'batch' ? 'batches' : `${kind}s`);

/** A model of each family that a route asks for. */
export const seedModels = {
  text: 'flash-3.8',
  embedding: 'embedding-2',
  video: 'video-3.1-lite-generate-preview',
  live: 'flash-2.5-native-audio-latest',
  music: 'music-3.5',
  image: 'flash-2.5-image',
} as const;
export type SeedModel = keyof typeof seedModels;

/** A body that a route takes, and the model of the key that sends it. */
export interface RouteSeed {
  readonly model: SeedModel;
  readonly body: object;
}

/** How a record of each kind comes to be, in an order in which each can name those before it. */
export const creations: readonly (readonly [NamedKind, string, SeedModel, (ids: Partial<NamedIds>) => object])[] = [
  ['file', '/files', 'text', () => ({ display_name: 'a.pdf', mime_type: 'application/pdf', data: mediaSamples.pdf })],
  ['cache', '/caches', 'text', () => ({ ttl_seconds: 3_600, contents: [{ parts: [{ text: 'book '.repeat(50) }] }] })],
  [
    'batch',
    '/batches',
    'text',
    () => ({ requests: [{ key: 'a', request: { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] } }] }),
  ],
  ['video', '/videos', 'video', () => ({ prompt: 'A lighthouse.', duration_seconds: 4 })],
  ['store', '/stores', 'text', () => ({ display_name: 'Shelf' })],
  ['document', '/documents', 'text', ({ store, file }) => ({ store, file })],
  [
    'environment',
    '/environments',
    'text',
    () => ({ sources: [{ type: 'inline', target: 'a/b.txt', content: 'text' }] }),
  ],
  ['interaction', '/interactions', 'text', () => ({ input: 'Hello' })],
  ['agent', '/agents', 'text', () => ({ display_name: 'Clerk' })],
  ['webhook', '/webhooks', 'text', () => ({ url: 'https://hooks.example.com/in' })],
  ['trigger', '/triggers', 'text', () => ({ schedule: '0 0 1 1 *', interaction: { input: 'Report.' } })],
];

const seed = (body: object, model: SeedModel = 'text'): RouteSeed => ({ model, body });

const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const declaration = { name: 'get_weather', description: 'Weather.', parameters: schema };
const hello = { role: 'user', parts: [{ text: 'Hello' }] };
const png = { mimeType: 'image/png', data: mediaSamples.png };
const image = { data: mediaSamples.png, mime_type: 'image/png' };
const mcp = {
  type: 'mcp_server',
  url: 'https://tools.invalid/mcp',
  name: 'tools',
  allowed_tools: ['a'],
  headers: { 'x-key': 'secret' },
};

const generateBodies = ({ file, cache }: NamedIds): readonly RouteSeed[] => [
  seed({ contents: [hello] }),
  seed({
    contents: [
      { role: 'user', parts: [{ text: 'Look.' }, { inlineData: png }, { fileData: { fileUri: `files/${file}` } }] },
    ],
    systemInstruction: { parts: [{ text: 'Be kind.' }] },
    generationConfig: {
      temperature: 1,
      topP: 0.5,
      topK: 40,
      seed: 1,
      stopSequences: ['stop'],
      thinkingConfig: { includeThoughts: true, thinkingBudget: -1 },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  }),
  seed({
    contents: [hello],
    generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema },
  }),
  seed({
    contents: [
      { role: 'user', parts: [{ text: '[[sandbox: tool get_weather {}]]' }] },
      { role: 'model', parts: [{ functionCall: { id: 'call_1', name: 'get_weather', args: { a: [1] } } }] },
      { role: 'user', parts: [{ functionResponse: { id: 'call_1', name: 'get_weather', response: { b: 2 } } }] },
    ],
    tools: [{ functionDeclarations: [declaration] }, { codeExecution: {} }, { urlContext: {} }],
    toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['get_weather'] } },
  }),
  seed({ contents: [hello], cachedContent: `caches/${cache}` }),
  seed(
    {
      contents: [hello],
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], imageConfig: { aspectRatio: '1:1', imageSize: '1K' } },
    },
    'image',
  ),
];

const interactionBodies = (ids: NamedIds): readonly RouteSeed[] => [
  seed({ input: 'Tell me more.' }),
  seed({
    input: [
      { type: 'text', text: 'Look.' },
      { type: 'image', data: mediaSamples.png, mime_type: 'image/png' },
      { type: 'document', uri: `files/${ids.file}`, mime_type: 'application/pdf' },
    ],
    system_instruction: 'Be kind.',
    generation_config: { temperature: 1, top_p: 0.5, seed: 1, stop_sequences: ['stop'], thinking_level: 'low' },
    response_format: { type: 'json', schema },
  }),
  seed({ input: 'Go on.', previous_interaction_id: ids.interaction, agent_id: ids.agent }),
  seed({
    input: 'Go on.',
    environment_id: ids.environment,
    tools: [
      { type: 'function', ...declaration },
      { type: 'web_search' },
      { type: 'code_execution' },
      { type: 'url_context' },
      { type: 'maps', latitude: 1, longitude: 2 },
      { type: 'file_search', stores: [ids.store] },
      mcp,
    ],
  }),
  seed({ input: [{ type: 'function_result', call_id: 'c', name: 'f', result: { a: 1 }, is_error: false }] }),
  seed({ input: 'A quiet tune.' }, 'music'),
];

const chatBodies = ({ file }: NamedIds): readonly RouteSeed[] => [
  seed({ messages: [{ role: 'user', content: 'Hello' }], stream: true, stream_options: { include_usage: true } }),
  seed({
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'Sum it up' },
          { type: 'file', file: { file_id: file } },
        ],
      },
    ],
    temperature: 1,
  }),
];

const embeddingBodies = ({ file }: NamedIds): readonly RouteSeed[] => [
  seed({ input: 'Words.', dimensions: 256, task_type: 'RETRIEVAL_DOCUMENT', title: 'T' }, 'embedding'),
  seed({ input: ['One.', 'Two.'], encoding_format: 'base64' }, 'embedding'),
  seed(
    {
      content: {
        parts: [{ inlineData: png }, { fileData: { fileUri: `files/${file}` } }],
        document_ocr: true,
      },
    },
    'embedding',
  ),
];

const batchBodies = (ids: NamedIds): readonly RouteSeed[] => [
  seed({
    display_name: 'Night work',
    requests: generateBodies(ids)
      .filter(({ model }) => model === 'text')
      .map(({ body }, place) => ({ key: `item ${place}`, request: body })),
  }),
  seed({ requests: [{ key: 'a', request: { input: 'Words.', dimensions: 256 } }] }, 'embedding'),
];

const liveBodies: readonly RouteSeed[] = [
  seed({ config: { generationConfig: { responseModalities: ['TEXT'] } } }, 'live'),
  seed(
    {
      config: {
        generationConfig: {
          responseModalities: ['AUDIO'],
          temperature: 1,
          speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } }, languageCode: 'en-US' },
        },
        systemInstruction: { parts: [{ text: 'Be kind.' }] },
        tools: [{ functionDeclarations: [declaration] }],
        inputAudioTranscription: { languageCodes: ['en'] },
        contextWindowCompression: { triggerTokens: '1000', slidingWindow: { targetTokens: 500 } },
      },
    },
    'live',
  ),
];

const videoBodies = ({ file, video }: NamedIds): readonly RouteSeed[] => [
  seed({ prompt: 'A lighthouse.', duration_seconds: 4, resolution: '720p', aspect_ratio: '16:9', seed: 1 }, 'video'),
  seed({ prompt: 'A storm.', image, last_frame: image, negative_prompt: 'rain' }, 'video'),
  seed({ prompt: 'A ship.', reference_images: [{ ...image, reference_type: 'asset' }] }, 'video'),
  seed({ prompt: 'Go on.', video, resolution: '720p' }, 'video'),
  seed({ image: { uri: `files/${file}`, mime_type: 'image/png' } }, 'video'),
];

const network = { allowlist: [{ domain: '*.example.com', transform: { 'x-key': 'secret' } }] };

const environmentBodies: readonly RouteSeed[] = [
  seed({
    display_name: 'Desk',
    sources: [
      { type: 'inline', target: 'a/b.txt', content: 'text' },
      { type: 'inline', target: 'c.bin', content: 'AAAA', encoding: 'base64' },
    ],
    network,
  }),
  seed({ network: 'disabled' }),
];

/** Bodies for each route that takes one; a new route needs some here. */
const seedsByRoute = {
  createChatCompletion: chatBodies,
  generateContent: generateBodies,
  streamGenerateContent: generateBodies,
  createEmbeddings: embeddingBodies,
  createFile: () => [seed({ display_name: 'report.pdf', mime_type: 'application/pdf', data: mediaSamples.pdf })],
  createCache: ({ file }) => [
    seed({ display_name: 'Book', ttl_seconds: 3_600, contents: [{ parts: [{ text: 'A long book. '.repeat(20) }] }] }),
    seed({ ttl_seconds: 600, contents: [{ role: 'user', parts: [{ fileData: { fileUri: `files/${file}` } }] }] }),
  ],
  patchCache: () => [seed({ ttl_seconds: 120 })],
  createBatch: batchBodies,
  createVideo: videoBodies,
  createStore: () => [seed({ display_name: 'Shelf' })],
  createDocument: ({ store, file }) => [seed({ store, file })],
  createEnvironment: () => environmentBodies,
  createInteraction: interactionBodies,
  createAgent: ({ store }) => [
    seed({
      display_name: 'Clerk',
      system_instruction: 'Be kind.',
      tools: [{ type: 'web_search' }, { type: 'file_search', stores: [store] }, mcp],
    }),
  ],
  createLiveSession: () => liveBodies,
  createWebhook: () => [seed({ url: 'https://hooks.example.com/in', events: ['request.completed'] })],
  patchWebhook: () => [seed({ enabled: false }), seed({ enabled: true })],
  createTrigger: (ids) =>
    interactionBodies(ids)
      .filter(({ model }) => model === 'text')
      .map(({ body }) =>
        seed({ display_name: 'Daily', schedule: '0 9 * * MON-FRI', time_zone: 'Europe/Lisbon', interaction: body }),
      ),
  patchTrigger: () => [seed({ enabled: false }), seed({ enabled: true })],
} as const satisfies { readonly [Id in RouteId]?: (ids: NamedIds) => readonly RouteSeed[] };

/** The bodies that a route takes; none where it takes no body. */
export const seedsOf = (route: RouteId, ids: NamedIds): readonly RouteSeed[] => {
  const table: { readonly [Id in RouteId]?: (known: NamedIds) => readonly RouteSeed[] } = seedsByRoute;
  return table[route]?.(ids) ?? [];
};
