import type {
  ImageModelV4,
  ImageModelV4CallOptions,
  ImageModelV4Result,
  SpeechModelV4,
  SpeechModelV4CallOptions,
  SpeechModelV4Result,
  TranscriptionModelV4,
  TranscriptionModelV4CallOptions,
  TranscriptionModelV4Result,
} from '@ai-sdk/provider';
import type { Attempt, Generation, GenerationCall, Part } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { describe, expect, test } from 'vitest';
import type { AiSdkProviderOptions } from './ai-sdk-provider-options.ts';
import { aiSdkProvider } from './ai-sdk-provider.ts';

const baseCall: GenerationCall = {
  operationId: '11111111-1111-4111-8111-111111111111',
  upstreamModel: 'some-model',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'A lighthouse.' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 500,
};

interface Run {
  readonly answer: Generation | undefined;
  readonly failure: unknown;
  readonly attempts: readonly Attempt[];
}

const run = async (options: AiSdkProviderOptions, call: Partial<GenerationCall> = {}): Promise<Run> => {
  const attempts: Attempt[] = [];
  const context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (attempt: Attempt) => void attempts.push(attempt),
  };
  const provider = aiSdkProvider(options);
  return (provider.generate?.({ ...baseCall, ...call }, context) ?? Promise.reject(new Error('none'))).then(
    (answer) => ({ answer, failure: undefined, attempts }),
    (failure: unknown) => ({ answer: undefined, failure, attempts }),
  );
};

const userParts = (...parts: readonly Part[]): Partial<GenerationCall> => ({ contents: [{ role: 'user', parts }] });
const response = { timestamp: new Date(0), modelId: 'some-model', headers: {} };
const named = { specificationVersion: 'v4', provider: 'somebody.model', modelId: 'some-model' } as const;
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const image = { kind: 'media', mimeType: 'image/png', data: png } as const;

const imageModel = (result: Partial<ImageModelV4Result> = {}, rest: Partial<ImageModelV4> = {}) => {
  const calls: ImageModelV4CallOptions[] = [];
  const model: ImageModelV4 = {
    ...named,
    maxImagesPerCall: 1,
    doGenerate: async (options) => {
      calls.push(options);
      return { images: [png], warnings: [], response, ...result };
    },
    ...rest,
  };
  return { calls, model, options: { imageModel: () => model } };
};

describe('an image model', () => {
  test('makes one image of a prompt, and counts it', async () => {
    const { calls, options } = imageModel();
    const { answer, attempts } = await run(options, {
      modalities: ['text', 'image'],
      image: { aspectRatio: '16:9', size: '1024x576' },
      sampling: { seed: 7 },
    });
    expect(answer).toEqual({
      text: '',
      functionCalls: [],
      parts: [image],
      finish: 'stop',
      usage: [{ unit: 'images', quantity: 1, confirmed: true }],
    });
    expect(calls[0]).toMatchObject({ prompt: 'A lighthouse.', n: 1, aspectRatio: '16:9', size: '1024x576', seed: 7 });
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['answered']);
  });

  test('is metered by its tokens where it counts them', async () => {
    const { options } = imageModel({ usage: { inputTokens: 9, outputTokens: 1_290, totalTokens: 1_299 } });
    expect((await run(options)).answer?.usage).toEqual([
      { unit: 'input_text_tokens', quantity: 9, confirmed: true },
      { unit: 'output_image_tokens', quantity: 1_290, confirmed: true },
    ]);
  });

  test('tells the type of an image by its bytes', async () => {
    const images = [Uint8Array.of(0xff, 0xd8, 0xff, 0xe0), Buffer.from('RIFF\0\0\0\0WEBPVP8 '), Uint8Array.of(1, 2, 3)];
    const { answer } = await run(imageModel({ images }).options);
    const types = answer?.parts?.map((part) => (part.kind === 'media' ? part.mimeType : ''));
    expect(types).toEqual(['image/jpeg', 'image/webp', 'image/png']);
  });

  test('refused the prompt where it made none', async () => {
    const { answer } = await run(imageModel({ images: [] }).options);
    expect([answer?.finish, answer?.usage]).toEqual([
      'content_filter',
      [{ unit: 'images', quantity: 0, confirmed: true }],
    ]);
  });

  test('takes images where it says that it does', async () => {
    const { calls, options } = imageModel({}, { supportsFileInputs: true });
    await run(options, userParts({ kind: 'text', text: 'Brighter' }, image));
    expect(calls[0]?.files).toEqual([{ type: 'file', mediaType: 'image/png', data: png }]);
  });

  test('gets sizes by name and safety settings where it is of Google', async () => {
    const { calls, options } = imageModel();
    await run(
      { ...options, vendorOf: () => 'google' },
      { image: { size: '2K' }, safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }] },
    );
    expect(calls[0]).toMatchObject({
      size: undefined,
      providerOptions: {
        google: {
          imageConfig: { imageSize: '2K' },
          safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }],
        },
      },
    });
  });

  test('returns a stream in one piece', async () => {
    const pieces: Part[] = [];
    const provider = aiSdkProvider(imageModel().options);
    const context = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
    const end = await provider.generateStream?.(baseCall, context, (parts) => void pieces.push(...parts));
    expect(pieces).toEqual([image]);
    expect(end).toEqual({ finish: 'stop', usage: [{ unit: 'images', quantity: 1, confirmed: true }] });
  });
});

/** One second of silence: 8,000 bytes a second. */
const wav = Buffer.concat([
  Buffer.from('524946460000000057415645666d74201000000001000100401f0000401f00000100080064617461', 'hex'),
  Buffer.from([0x40, 0x1f, 0, 0]),
  Buffer.alloc(8_000),
]);

const speechModel = (result: Partial<SpeechModelV4Result> = {}) => {
  const calls: SpeechModelV4CallOptions[] = [];
  const model: SpeechModelV4 = {
    ...named,
    doGenerate: async (options) => {
      calls.push(options);
      return { audio: wav, warnings: [], response, ...result };
    },
  };
  return { calls, options: { speechModel: () => model } };
};

describe('a speech model', () => {
  test('speaks a text, and is metered by the seconds of it', async () => {
    const { calls, options } = speechModel();
    const { answer } = await run(options, {
      systemInstruction: 'Slowly.',
      modalities: ['audio'],
      speech: { kind: 'one_voice', voice: 'alloy', language: 'en' },
    });
    expect(answer).toEqual({
      text: '',
      functionCalls: [],
      parts: [{ kind: 'media', mimeType: 'audio/wav', data: wav.toString('base64') }],
      finish: 'stop',
      usage: [{ unit: 'output_audio_seconds', quantity: 1, confirmed: true }],
    });
    expect(calls[0]).toMatchObject({ text: 'A lighthouse.', voice: 'alloy', language: 'en', instructions: 'Slowly.' });
  });

  test('is metered by characters, and asked for a format, where the host says so', async () => {
    const { calls, options } = speechModel({ audio: Buffer.from('OggS....').toString('base64') });
    const speech = { meter: 'speech_characters', format: 'opus' } as const;
    const { answer } = await run({ ...options, speech }, userParts({ kind: 'text', text: 'né 🗼' }));
    expect(answer?.usage).toEqual([{ unit: 'speech_characters', quantity: 4, confirmed: true }]);
    expect(answer?.parts).toMatchObject([{ mimeType: 'audio/ogg' }]);
    expect(calls[0]?.outputFormat).toBe('opus');
  });

  const types: readonly (readonly [
    title: string,
    result: Partial<SpeechModelV4Result>,
    host: string | undefined,
    type: string,
  ])[] = [
    [
      'the model',
      { providerMetadata: { google: { mimeType: 'audio/L16;rate=4000' } } },
      undefined,
      'audio/L16;rate=4000',
    ],
    [
      'its upstream',
      { response: { ...response, headers: { 'content-type': 'audio/pcm;rate=4000' } } },
      undefined,
      'audio/pcm;rate=4000',
    ],
    [
      'the host',
      { response: { ...response, headers: { 'content-type': 'application/json' } } },
      'audio/L16;rate=4000',
      'audio/L16;rate=4000',
    ],
  ];

  test.each(types)('takes the type of bytes that do not tell from %s', async (_title, result, mimeType, type) => {
    const { options } = speechModel({ audio: Buffer.alloc(8_000), ...result });
    const { answer } = await run({ ...options, ...(mimeType === undefined ? {} : { speech: { mimeType } }) });
    expect(answer?.parts).toMatchObject([{ mimeType: type }]);
    expect(answer?.usage).toEqual([{ unit: 'output_audio_seconds', quantity: 1, confirmed: true }]);
  });

  test('measures nothing where the bytes do not tell how long they last', async () => {
    expect((await run(speechModel({ audio: Buffer.from('OggS....') }).options)).answer?.usage).toEqual([]);
  });

  test('has two voices where it is of Google', async () => {
    const { calls, options } = speechModel();
    const speakers = [
      { speaker: 'Ann', voice: 'Kore' },
      { speaker: 'Bob', voice: 'Puck' },
    ];
    await run({ ...options, vendorOf: () => 'google' }, { speech: { kind: 'several_voices', speakers } });
    expect(calls[0]?.providerOptions).toEqual({
      google: {
        multiSpeakerVoiceConfig: {
          speakerVoiceConfigs: [
            { speaker: 'Ann', voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
            { speaker: 'Bob', voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
          ],
        },
      },
    });
  });

  test('gave no answer where it made no audio', async () => {
    const { failure } = await run(speechModel({ audio: new Uint8Array(0) }).options);
    expect(String(failure)).toContain('outcome unknown: unreadable_answer');
  });
});

const audio = { kind: 'media', mimeType: 'audio/x-wav', data: wav.toString('base64') } as const;

const transcriptionModel = (result: Partial<TranscriptionModelV4Result> = {}) => {
  const calls: TranscriptionModelV4CallOptions[] = [];
  const model: TranscriptionModelV4 = {
    ...named,
    doGenerate: async (options) => {
      calls.push(options);
      const rest = { segments: [], language: undefined, durationInSeconds: undefined, warnings: [], response };
      return { text: 'Hello.', ...rest, ...result };
    },
  };
  return { calls, options: { transcriptionModel: () => model } };
};

describe('a transcription model', () => {
  test('writes down a sound, and is metered by the seconds that it says', async () => {
    const { calls, options } = transcriptionModel({ durationInSeconds: 2.4 });
    const { answer } = await run(options, userParts(audio));
    expect(answer).toEqual({
      text: 'Hello.',
      functionCalls: [],
      parts: [{ kind: 'text', text: 'Hello.' }],
      finish: 'stop',
      usage: [{ unit: 'input_audio_seconds', quantity: 3, confirmed: true }],
    });
    expect(calls[0]).toMatchObject({ audio: audio.data, mediaType: 'audio/wav' });
  });

  test('is metered by the audio itself where it does not say', async () => {
    const { answer } = await run(transcriptionModel().options, userParts(audio));
    expect(answer?.usage).toEqual([{ unit: 'input_audio_seconds', quantity: 1, confirmed: true }]);
  });

  test('measures nothing where neither tells', async () => {
    const ogg = { ...audio, mimeType: 'audio/ogg' };
    expect((await run(transcriptionModel().options, userParts(ogg))).answer?.usage).toEqual([]);
  });

  test('takes a sound out of the blob store', async () => {
    const { calls, options } = transcriptionModel();
    const read = async function* () {
      yield wav;
    };
    await run(options, userParts({ kind: 'blob', mimeType: 'audio/wav', sizeBytes: wav.length, read }));
    expect(calls[0]?.audio).toBe(audio.data);
  });
});

const text = { kind: 'text', text: 'x' } as const;
const models = {
  image: imageModel,
  speech: speechModel,
  transcription: transcriptionModel,
} as const;

const forAll: readonly (readonly [title: string, call: Partial<GenerationCall>])[] = [
  ['several turns', { contents: [...baseCall.contents, { role: 'model', parts: [text] }, ...baseCall.contents] }],
  ['a turn of the model', { contents: [{ role: 'model', parts: [text] }] }],
  ['no turn', { contents: [] }],
  ['an answer of a function', userParts({ kind: 'function_response', id: 'c', name: 'f', response: '1' })],
  ['functions', { tools: [{ kind: 'function', name: 'f' }] }],
  ['a choice of functions', { toolChoice: { kind: 'required' } }],
  ['JSON', { responseFormat: { kind: 'json_object' } }],
  ['a temperature', { sampling: { temperature: 0 } }],
  ['a share of probability', { sampling: { topP: 1 } }],
  ['a number of tokens to choose from', { sampling: { topK: 1 } }],
  ['stop sequences', { sampling: { stopSequences: ['x'] } }],
  ['the end user', { endUser: 'u' }],
  ['reasoning', { thinking: { level: 'low' } }],
  ['a media resolution', { mediaResolution: 'low' }],
  ['safety settings', { safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'OFF' }] }],
];

const forOne: readonly (readonly [title: string, kind: keyof typeof models, call: Partial<GenerationCall>])[] = [
  ...(['image', 'speech', 'transcription'] as const).flatMap((kind) =>
    forAll.map(([title, call]) => [title, kind, call] as const),
  ),
  ['a system instruction', 'image', { systemInstruction: 'x' }],
  ['a voice', 'image', { speech: { kind: 'one_voice', voice: 'x' } }],
  ['text alone', 'image', { modalities: ['text'] }],
  ['an image', 'image', userParts(text, image)],
  ['a size by name', 'image', { image: { size: '2K' } }],
  ['an aspect ratio that is none', 'image', { image: { aspectRatio: 'wide' } }],
  ['a seed', 'speech', { sampling: { seed: 1 } }],
  ['an aspect ratio', 'speech', { image: { aspectRatio: '1:1' } }],
  ['an image that comes out', 'speech', { modalities: ['image'] }],
  ['a sound', 'speech', userParts(text, audio)],
  ['two voices', 'speech', { speech: { kind: 'several_voices', speakers: [{ speaker: 'a', voice: 'b' }] } }],
  ['a system instruction', 'transcription', { ...userParts(audio), systemInstruction: 'x' }],
  ['sound that comes out', 'transcription', { ...userParts(audio), modalities: ['audio'] }],
  ['no sound', 'transcription', {}],
  ['two sounds', 'transcription', userParts(audio, audio)],
  ['an image', 'transcription', userParts(image)],
  ['a text beside a sound', 'transcription', userParts(text, audio)],
];

describe('refuses before it sends anything', () => {
  test.each(forOne)('%s (%s)', async (_title, kind, call) => {
    const { calls, options } = models[kind]();
    const { failure, attempts } = await run(options, call);
    expect(failure).toMatchObject({ code: 'not_executed', reason: 'unsupported' });
    expect([calls, attempts]).toEqual([[], []]);
  });

  test('what is no image (image)', async () => {
    const { calls, options } = imageModel({}, { supportsFileInputs: true });
    const { failure } = await run(options, userParts(text, audio));
    expect([failure, calls]).toMatchObject([{ reason: 'unsupported' }, []]);
  });
});
