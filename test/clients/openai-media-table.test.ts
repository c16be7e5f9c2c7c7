import OpenAI, { AzureOpenAI, toFile } from 'openai';
import { expect } from 'vitest';
import { draw, speakAndListen } from '../../docs/snippets/openai-media.ts';
import { defaultCatalog, type CatalogModel } from '../../packages/contract/src/index.ts';
import { describeClient, refuses, works, type Feature } from './client-table.ts';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from './running-gateway.ts';

const imageModel = 'flash-3.1-image';
const speechModel = 'flash-3.1-tts-preview';
const wave = Buffer.from(mediaSamples.wav, 'base64');
const dot = Buffer.from(mediaSamples.png, 'base64');

const assertModel = (): never => {
  throw new Error(`there is no ${boundModel}`);
};

const clientOf = (world: RunningGateway): OpenAI =>
  new OpenAI({ baseURL: world.baseUrl, apiKey: world.key, maxRetries: 0 });

/** What a PNG says of its own sides. */
const sidesOf = (base64: string): readonly [number, number] => {
  const bytes = Buffer.from(base64, 'base64');
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
};

const imageFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const generate = (rest: object = {}) =>
    clientOf(world()).images.generate({ model: imageModel, prompt: 'A ferry.', ...rest, stream: false });
  return [
    works('images.generate, in a size', async () => {
      const answer = await generate({ size: '1536x1024' });
      expect(sidesOf(answer.data?.[0]?.b64_json ?? '')).toEqual([1248, 832]);
      expect(answer).toMatchObject({ output_format: 'png', size: '1536x1024' });
      expect(answer.usage?.output_tokens_details).toEqual({ image_tokens: 1120, text_tokens: 0 });
      expect(lastOf(world().calls)).toMatchObject({ modalities: ['image'], image: { aspectRatio: '3:2' } });
    }),
    works('images.generate, several at once', async () => {
      const { data = [] } = await generate({ n: 3, size: '512x512' });
      expect(new Set(data.map(({ b64_json: image }) => image)).size).toBe(3);
    }),
    works('images.generate as a stream', async () => {
      const stream = await clientOf(world()).images.generate({
        model: imageModel,
        prompt: 'A ferry.',
        stream: true,
        partial_images: 2,
      });
      const events = [];
      for await (const event of stream) events.push(event);
      expect(events.map(({ type }) => type)).toEqual(['image_generation.completed']);
      expect(sidesOf(events[0]?.b64_json ?? '')).toEqual([1024, 1024]);
      expect(events[0]).toMatchObject({ output_format: 'png', usage: { output_tokens: 1120 } });
    }),
    works('images.edit, of one file and of several', async () => {
      const { images } = clientOf(world());
      const image = await toFile(dot, 'dot.png');
      const one = await images.edit({ model: imageModel, prompt: 'Add a boat.', image });
      const both = await images.edit({ model: imageModel, prompt: 'Join them.', image: [image, image], n: 1 });
      expect(one.data?.[0]?.b64_json).not.toBe(both.data?.[0]?.b64_json);
      expect(one.usage?.input_tokens_details.image_tokens).toBeGreaterThan(0);
      const { parts } = lastOf(lastOf(world().calls).contents);
      expect(parts.map(({ kind }) => kind)).toEqual(['text', 'media', 'media']);
    }),
    works('images.edit as a stream', async () => {
      const stream = await clientOf(world()).images.edit({
        model: imageModel,
        prompt: 'Add a boat.',
        image: await toFile(dot, 'dot.png', { type: 'image/png' }),
        stream: true,
      });
      const types: string[] = [];
      for await (const { type } of stream) types.push(type);
      expect(types).toEqual(['image_edit.completed']);
    }),
    refuses('images by address', 'response_format', async () => generate({ response_format: 'url' })),
    refuses('an image of a form that the model does not give', 'output_format', async () =>
      generate({ output_format: 'webp' }),
    ),
    refuses('a mask', 'mask', async () => {
      const image = await toFile(dot, 'dot.png');
      return clientOf(world()).images.edit({ model: imageModel, prompt: 'Here.', image, mask: image });
    }),
    refuses('variations', 'variations', async () =>
      clientOf(world()).images.createVariation({ image: await toFile(dot, 'dot.png') }),
    ),
  ];
};

const audioFeatures = (world: () => RunningGateway): readonly Feature[] => {
  const speak = (rest: object = {}) =>
    clientOf(world()).audio.speech.create({ model: speechModel, voice: 'Kore', input: 'Good day.', ...rest });
  const transcribe = async (rest: object = {}) =>
    clientOf(world()).audio.transcriptions.create({
      model: boundModel,
      file: await toFile(wave, 'said.wav'),
      prompt: '[[sandbox: echo Good day.]]',
      ...rest,
      stream: false,
    });
  return [
    works('audio.speech.create, as WAV and as samples', async () => {
      const wav = await speak({ response_format: 'wav', instructions: 'Softly.' });
      const file = Buffer.from(await wav.arrayBuffer());
      expect([wav.headers.get('content-type'), file.toString('latin1', 0, 4)]).toEqual(['audio/wav', 'RIFF']);
      const pcm = await speak({ response_format: 'pcm', instructions: 'Softly.' });
      const samples = Buffer.from(await pcm.arrayBuffer());
      expect(pcm.headers.get('content-type')).toBe('audio/pcm;rate=24000');
      expect(samples.equals(file.subarray(44))).toBe(true);
      expect(lastOf(world().calls)).toMatchObject({ systemInstruction: 'Softly.', speech: { voice: 'Kore' } });
    }),
    works('audio.transcriptions.create', async () => {
      const { text, usage } = await transcribe({ language: 'en', temperature: 0 });
      expect(text).toBe('Good day.');
      expect(usage).toMatchObject({ type: 'tokens', input_token_details: { audio_tokens: expect.any(Number) } });
      expect(lastOf(world().calls)).toMatchObject({ transcription: { language: 'en' }, sampling: { temperature: 0 } });
    }),
    works('audio.transcriptions.create, as text', async () => {
      expect(await transcribe({ response_format: 'text' })).toBe('Good day.');
    }),
    works('audio.transcriptions.create as a stream', async () => {
      const stream = await clientOf(world()).audio.transcriptions.create({
        model: boundModel,
        file: await toFile(wave, 'said.wav'),
        prompt: '[[sandbox: echo One two.]]',
        stream: true,
      });
      const events = [];
      for await (const event of stream) events.push(event);
      expect(events.map(({ type }) => type)).toEqual([
        'transcript.text.delta',
        'transcript.text.delta',
        'transcript.text.done',
      ]);
      expect(lastOf(events)).toMatchObject({ text: 'One two.', usage: { type: 'tokens' } });
    }),
    works('audio.translations.create', async () => {
      const prompt = '[[sandbox: echo Good day.]]';
      const file = await toFile(wave, 'said.wav');
      const { text } = await clientOf(world()).audio.translations.create({ model: boundModel, file, prompt });
      expect(text).toBe('Good day.');
      expect(lastOf(world().calls).transcription).toMatchObject({ translate: true });
    }),
    works('an image of an image, and what was spoken written down', async () => {
      const { baseUrl, key } = world();
      const [first = '', second = ''] = await draw(baseUrl, key);
      expect([sidesOf(first), sidesOf(second)]).toEqual([
        [1248, 832],
        [1024, 1024],
      ]);
      expect(await speakAndListen(baseUrl, key, 'Good day.')).toContain('audio/wav');
    }),
    works('images and speech by the paths of Azure', async () => {
      const { baseUrl, key } = world();
      const azure = new AzureOpenAI({ endpoint: baseUrl, apiKey: key, apiVersion: '2026-01-01', maxRetries: 0 });
      expect((await azure.images.generate({ model: imageModel, prompt: 'A ferry.' })).data).toHaveLength(1);
      const image = await toFile(dot, 'dot.png');
      expect((await azure.images.edit({ model: imageModel, prompt: 'A ferry.', image })).data).toHaveLength(1);
      const said = await azure.audio.speech.create({ model: speechModel, voice: 'Kore', input: 'Hi.' });
      expect((await said.arrayBuffer()).byteLength).toBeGreaterThan(44);
      const file = await toFile(wave, 'said.wav');
      expect((await azure.audio.transcriptions.create({ model: boundModel, file })).text).not.toBe('');
    }),
    refuses('audio of a form that the model does not give', 'response_format', async () =>
      speak({ response_format: 'mp3' }),
    ),
    refuses('another speed', 'speed', async () => speak({ speed: 2 })),
    works('a verbose transcript, whose length and language are known', async () => {
      const { duration, language, segments } = await clientOf(world()).audio.transcriptions.create({
        model: boundModel,
        file: await toFile(wave, 'said.wav'),
        response_format: 'verbose_json',
        language: 'en',
        stream: false,
      });
      expect([duration, language, segments]).toEqual([0, 'en', undefined]);
    }),
    refuses('the times of words', 'timestamp_granularities', async () =>
      transcribe({ response_format: 'verbose_json', timestamp_granularities: ['word'] }),
    ),
    refuses('subtitles', 'response_format', async () => transcribe({ response_format: 'srt' })),
  ];
};

const judge: CatalogModel = {
  ...(defaultCatalog.find(({ id }) => id === boundModel) ?? assertModel()),
  id: 'judge-1',
  upstreamId: 'judge-1',
  capabilities: ['moderation', 'image_input'],
};

const moderationFeatures = (world: () => RunningGateway): readonly Feature[] => [
  works('moderations.create, of texts and of an image', async () => {
    const { moderations } = clientOf(world());
    const { results } = await moderations.create({ model: judge.id, input: ['I will kill it.', 'Good day.'] });
    expect(results.map(({ flagged, categories }) => [flagged, categories.violence])).toEqual([
      [true, true],
      [false, false],
    ]);
    const url = `data:image/png;base64,${mediaSamples.png}`;
    const shown = await moderations.create({ model: judge.id, input: [{ type: 'image_url', image_url: { url } }] });
    expect(shown.results[0]?.category_applied_input_types.violence).toEqual(['text', 'image']);
  }),
  refuses('moderations of a model that has none', boundModel, async () =>
    clientOf(world()).moderations.create({ model: boundModel, input: 'Hi' }),
  ),
];

describeClient({
  name: 'openai media',
  dependency: 'openai',
  setup: { model: null, options: { catalog: [...defaultCatalog, judge] } },
  features: (world) => [...imageFeatures(world), ...audioFeatures(world), ...moderationFeatures(world)],
});
