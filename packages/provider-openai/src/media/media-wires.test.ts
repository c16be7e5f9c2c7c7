import { isNotExecuted, type CallField, type Generation, type GenerationCall, type Part } from '@tollgate/provider';
import { sampleCaller, startFakeOpenai, type FakeOpenai, type FakeOpenaiBehaviour } from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openaiProvider } from '../openai-provider.ts';
import type { OpenaiProviderOptions, OpenaiWire } from '../upstream.ts';

let fake: FakeOpenai;
beforeEach(async () => {
  fake = await startFakeOpenai();
});
afterEach(() => fake.close());

const words: Part = { kind: 'text', text: 'A red dot' };
const dot: Part = { kind: 'media', mimeType: 'image/png', data: 'AAEC' };
const sung: Part = {
  kind: 'blob',
  mimeType: 'audio/wav',
  sizeBytes: 5,
  read: async function* () {
    yield await Promise.resolve(Buffer.from('audio'));
  },
};

const callOf = (parts: readonly Part[], rest: Partial<GenerationCall>): GenerationCall => ({
  operationId: 'operation',
  upstreamModel: 'upstream-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
  ...rest,
});

const imageCall = (rest: Partial<GenerationCall> = {}, parts: readonly Part[] = [words]): GenerationCall =>
  callOf(parts, { modalities: ['image'], ...rest });
const speechCall = (rest: Partial<GenerationCall> = {}): GenerationCall =>
  callOf([words], { modalities: ['audio'], speech: { kind: 'one_voice', voice: 'coral' }, ...rest });
const transcriptionCall = (rest: Partial<GenerationCall> = {}, parts: readonly Part[] = [sung]): GenerationCall =>
  callOf(parts, { systemInstruction: 'Write it down.', transcription: { language: 'en', prompt: 'names' }, ...rest });

const run = async (
  wire: OpenaiWire,
  call: GenerationCall,
  options: Partial<OpenaiProviderOptions> = {},
): Promise<Generation> => {
  const provider = openaiProvider({ baseUrl: fake.url, apiKey: 'sk-1', wire, ...options });
  try {
    const generation = await provider.generate?.(call, {
      caller: sampleCaller,
      signal: new AbortController().signal,
      recordAttempt: () => undefined,
    });
    if (generation === undefined) throw new Error('the provider does not generate');
    return generation;
  } finally {
    await provider.close?.();
  }
};

const failureOf = async (wire: OpenaiWire, call: GenerationCall): Promise<unknown> =>
  run(wire, call).catch((failure: unknown) => failure);

/** The form of the last request, as a standard reader reads it. */
const lastForm = async (): Promise<FormData> => {
  const { text = '', headers = {} } = fake.requests.at(-1) ?? {};
  return new Response(text, { headers: { 'content-type': String(headers['content-type']) } }).formData();
};

const answer = (body: unknown): FakeOpenaiBehaviour => ({ kind: 'answer', body });

test('draws images by their settings, and measures the tokens of the upstream', async () => {
  const usage = { input_tokens: 12, input_tokens_details: { text_tokens: 12, image_tokens: 0 }, output_tokens: 80 };
  fake.script(answer({ created: 1, data: [{ b64_json: 'AAEC' }, { b64_json: 'AwQF' }], output_format: 'webp', usage }));
  const image = { pixels: '1536x1024', count: 2, quality: 'low', background: 'opaque', format: 'webp' } as const;
  const { parts, usage: measured } = await run(
    'images',
    imageCall({ image, endUser: 'u', systemInstruction: 'Flat.' }),
  );
  expect(fake.requests[0]).toMatchObject({ path: '/v1/images/generations' });
  expect(fake.requests[0]?.body).toEqual({
    model: 'upstream-model',
    prompt: 'Flat.\n\nA red dot',
    n: 2,
    size: '1536x1024',
    quality: 'low',
    background: 'opaque',
    output_format: 'webp',
    user: 'u',
  });
  expect(parts).toEqual([
    { kind: 'media', mimeType: 'image/webp', data: 'AAEC' },
    { kind: 'media', mimeType: 'image/webp', data: 'AwQF' },
  ]);
  expect(measured).toEqual([
    { unit: 'input_text_tokens', quantity: 12, confirmed: true },
    { unit: 'output_image_tokens', quantity: 80, confirmed: true },
  ]);
});

test('counts the images of an upstream that counts nothing, and asks older models for the image itself', async () => {
  fake.script(answer({ created: 1, data: [{ b64_json: 'AAEC' }] }));
  const { usage } = await run('images', imageCall({ image: { aspectRatio: '2:3', size: '1K' } }), {
    imageFormatField: 'sent',
  });
  expect(fake.requests[0]?.body).toMatchObject({ size: '1024x1536', response_format: 'b64_json' });
  expect(usage).toEqual([{ unit: 'images', quantity: 1, confirmed: true }]);
});

test('edits images that come with the prompt, as files of a form', async () => {
  fake.script(answer({ created: 1, data: [{ b64_json: 'AAEC' }] }));
  await run('images', imageCall({ image: { count: 1 } }, [words, dot]));
  expect(fake.requests[0]?.path).toBe('/v1/images/edits');
  const form = await lastForm();
  const file = form.get('image[]');
  expect([form.get('prompt'), form.get('n'), form.get('model')]).toEqual(['A red dot', '1', 'upstream-model']);
  expect(file instanceof File ? [file.name, file.type, file.size] : file).toEqual(['file.png', 'image/png', 3]);
});

test('leaves the outcome unknown where an address came in place of an image, with what it used', async () => {
  fake.script(answer({ created: 1, data: [{ url: 'https://example.com/a.png' }] }));
  expect(await failureOf('images', imageCall())).toMatchObject({
    detail: 'unreadable_answer',
    usageAtLeast: [{ unit: 'images', quantity: 1, confirmed: false }],
  });
});

test('speaks a text as bytes of the format that is asked for, measured by its characters', async () => {
  fake.script({ kind: 'bytes', mimeType: 'audio/mpeg', bytes: Buffer.from([0xff, 0xfb, 0x00]) });
  const { parts, usage } = await run('speech', speechCall({ audioFormat: 'mp3', systemInstruction: 'Softly.' }));
  expect(fake.requests[0]).toMatchObject({ path: '/v1/audio/speech' });
  expect(fake.requests[0]?.body).toEqual({
    model: 'upstream-model',
    input: 'A red dot',
    instructions: 'Softly.',
    voice: 'coral',
    response_format: 'mp3',
  });
  expect(parts).toEqual([{ kind: 'media', mimeType: 'audio/mpeg', data: '//sA' }]);
  expect(usage).toEqual([{ unit: 'speech_characters', quantity: 9, confirmed: true }]);
});

test('an error that came as JSON with a good status is no audio', async () => {
  fake.script(answer({ error: { code: 'rate_limit_exceeded', message: 'slow down' } }));
  const failure = await failureOf('speech', speechCall());
  expect(isNotExecuted(failure) ? failure.reason : undefined).toBe('rate_limited');
});

test('audio that is cut leaves the outcome unknown', async () => {
  fake.script({ kind: 'cut_mid_body' });
  expect(await failureOf('speech', speechCall())).toMatchObject({ code: 'unknown_outcome' });
});

test.each([
  [
    { type: 'tokens', input_tokens: 30, input_token_details: { audio_tokens: 25, text_tokens: 5 }, output_tokens: 4 },
    { input_text_tokens: 5, input_audio_tokens: 25, output_text_tokens: 4 },
  ],
  [{ type: 'duration', seconds: 4.2 }, { input_audio_seconds: 5 }],
])('writes audio down and measures %j', async (usage, expected) => {
  fake.script(answer({ text: 'Hello.', usage }));
  const generation = await run('transcription', transcriptionCall({ sampling: { temperature: 0 } }));
  expect(generation.text).toBe('Hello.');
  expect(Object.fromEntries(generation.usage.map(({ unit, quantity }) => [unit, quantity]))).toEqual(expected);
  expect(fake.requests[0]?.path).toBe('/v1/audio/transcriptions');
  const form = await lastForm();
  const fields = ['model', 'language', 'prompt', 'temperature', 'response_format'].map((name) => form.get(name));
  expect(fields).toEqual(['upstream-model', 'en', 'names', '0', 'json']);
  const file = form.get('file');
  expect(file instanceof File ? [file.name, file.type, await file.text()] : file).toEqual([
    'file.wav',
    'audio/wav',
    'audio',
  ]);
});

test('translates by the method of translations, which takes no language', async () => {
  fake.script(answer({ text: 'Hello.', usage: { type: 'duration', seconds: 1 } }));
  await run('transcription', transcriptionCall({ transcription: { translate: true } }));
  expect(fake.requests[0]?.path).toBe('/v1/audio/translations');
  expect((await lastForm()).get('language')).toBeNull();
});

test('leaves a transcript without usage to the estimate of the host, and else unmeasured', async () => {
  fake.script(answer({ text: '' }), answer({ text: '' }));
  expect((await run('transcription', transcriptionCall())).usage).toEqual([]);
  const usage = [{ unit: 'input_audio_seconds', quantity: 1, confirmed: true }] as const;
  expect((await run('transcription', transcriptionCall(), { missingUsage: () => usage })).usage).toEqual(usage);
});

test('gives an answer of such a wire as one piece of a stream', async () => {
  fake.script(answer({ created: 1, data: [{ b64_json: 'AAEC' }] }));
  const provider = openaiProvider({ baseUrl: fake.url, wire: () => 'images' });
  const pieces: Part[] = [];
  const context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: () => undefined,
  };
  const end = await provider.generateStream?.(imageCall(), context, (parts) => void pieces.push(...parts));
  await provider.close?.();
  expect(pieces).toEqual([{ kind: 'media', mimeType: 'image/png', data: 'AAEC' }]);
  expect(end).toEqual({ finish: 'stop', usage: [{ unit: 'images', quantity: 1, confirmed: true }] });
});

const refused: readonly (readonly [OpenaiWire, string, GenerationCall, CallField])[] = [
  ['images', 'a tool', imageCall({ tools: [{ kind: 'function', name: 'f' }] }), 'tools'],
  ['images', 'a temperature', imageCall({ sampling: { temperature: 1 } }), 'temperature'],
  ['images', 'a shape that the models do not draw', imageCall({ image: { aspectRatio: '16:9' } }), 'image'],
  ['images', 'a size that the models do not draw', imageCall({ image: { size: '4K' } }), 'image'],
  ['images', 'text', imageCall({ modalities: ['text'] }), 'modalities'],
  ['images', 'audio to edit', imageCall({}, [sung]), 'contents'],
  ['speech', 'no voice', callOf([words], { modalities: ['audio'] }), 'speech'],
  ['speech', 'audio', callOf([sung], { speech: { kind: 'one_voice', voice: 'a' } }), 'contents'],
  ['speech', 'an image', speechCall({ image: { count: 1 } }), 'imageCount'],
  ['speech', 'a seed', speechCall({ sampling: { seed: 1 } }), 'seed'],
  ['transcription', 'two audio parts', transcriptionCall({}, [sung, sung]), 'contents'],
  ['transcription', 'no wish for a transcript', callOf([sung], {}), 'contents'],
  ['transcription', 'a schema', transcriptionCall({ responseFormat: { kind: 'json_object' } }), 'responseFormat'],
];

test.each(refused)(
  'the wire of %s refuses %s by its field, before anything is sent',
  async (wire, _what, call, field) => {
    const failure = await failureOf(wire, call);
    expect(isNotExecuted(failure) ? [failure.reason, failure.field] : failure).toEqual(['unsupported', field]);
    expect(fake.count()).toBe(0);
  },
);
