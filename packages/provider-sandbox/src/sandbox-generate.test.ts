import {
  isNotExecuted,
  usageUnits,
  type Attempt,
  type Generation,
  type GenerationCall,
  type GenerationEnd,
  type Part,
  type Usage,
} from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const say = (text: string, rest: Partial<GenerationCall> = {}): GenerationCall => ({
  operationId: 'operation-1',
  upstreamModel: 'gemini-3.8-flash',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 10_000,
  ...rest,
});

interface Asked {
  readonly pieces: readonly Part[];
  readonly end: GenerationEnd | undefined;
  readonly failure: unknown;
  readonly attempts: readonly Attempt[];
  readonly sleeps: readonly number[];
}

/** Asks for a stream, and keeps what came of it. Waits take no time. */
const stream = async (call: GenerationCall): Promise<Asked> => {
  const [pieces, attempts, sleeps]: [Part[], Attempt[], number[]] = [[], [], []];
  const sleep = (ms: number): Promise<void> => {
    sleeps.push(ms);
    return Promise.resolve();
  };
  const context = {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: (each: Attempt) => void attempts.push(each),
  };
  const running = sandboxProvider({ sleep }).generateStream(call, context, (parts) => void pieces.push(...parts));
  const [end, failure] = await running.then(
    (came) => [came, undefined] as const,
    (cause: unknown) => [undefined, cause] as const,
  );
  return { pieces, end, failure, attempts, sleeps };
};

const ask = (call: GenerationCall): Promise<Generation> =>
  sandboxProvider().generate(call, {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: () => {},
  });

const countInput = (call: GenerationCall): Promise<readonly Usage[]> =>
  sandboxProvider().countTokens(call, {
    caller: sampleCaller,
    signal: new AbortController().signal,
    recordAttempt: () => {},
  });

const quantities = (usage: readonly Usage[] = []): { readonly [unit: string]: number } =>
  Object.fromEntries(usage.map(({ unit, quantity }) => [unit, quantity]));

const refusalOf = async (running: Promise<unknown>): Promise<string | undefined> => {
  const failure: unknown = await running.catch((cause: unknown) => cause);
  return isNotExecuted(failure) ? failure.reason : undefined;
};

/** Joins the texts that follow each other and are of one kind. */
const joined = (pieces: readonly Part[]): readonly Part[] => {
  const parts: Part[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last?.kind === 'text' && piece.kind === 'text' && last.thought === piece.thought) {
      parts[parts.length - 1] = { ...last, text: last.text + piece.text };
    } else parts.push(piece);
  }
  return parts;
};

const tools = [{ kind: 'code_execution' }, { kind: 'url_context' }] as const;
const thinking = { includeThoughts: true } as const;

const calls: readonly (readonly [string, GenerationCall])[] = [
  ['a summary', say('Hello there')],
  ['thoughts', say('Hello', { thinking })],
  ['a long echo', say(`[[sandbox: echo ${'many words '.repeat(900)}]]`)],
  ['wanted pieces', say('[[sandbox: stream 40]]')],
  ['calls', say('[[sandbox: tool a]] [[sandbox: tool b {"c":1}]]')],
  ['a program', say('[[sandbox: code print(1)]]', { tools, thinking })],
  ['addresses', say('See https://example.com/a. [[sandbox: url]]', { tools })],
  ['a picture', say('A fox', { modalities: ['text', 'image'], image: { size: '512' } })],
  ['a speech', say('Hello', { upstreamModel: 'gemini-2.5-flash-preview-tts' })],
  ['JSON', say('Hi', { responseFormat: { kind: 'json_object' } })],
  ['half an answer', say('[[sandbox: length]]')],
  ['a cut answer', say('Hello', { outputTokensMax: 3 })],
  ['a refusal', say('[[sandbox: finish SPII]]')],
  ['a blocked prompt', say('[[sandbox: block]]')],
  ['no usage', say('[[sandbox: unknown-usage]]')],
];

test.each(calls)('streams what it answers: %s', async (_, call) => {
  const { text, functionCalls, parts = [], ...rest } = await ask(call);
  const { pieces, end } = await stream(call);
  expect(joined(pieces)).toEqual(parts);
  expect(end).toEqual(rest);
  expect(parts.filter((part) => part.kind === 'function_call')).toEqual(functionCalls);
  const visible = parts.flatMap((part) => (part.kind === 'text' && part.thought !== true ? part.text : []));
  expect(visible.join('')).toBe(text);
});

test.each(calls)('counts beforehand what it then reports: %s', async (_, call) => {
  const { usage } = await ask(call);
  if (usage.length === 0) return;
  const input = usage.filter(({ unit }) => unit.startsWith('input_'));
  expect(input.length).toBeGreaterThan(0);
  expect(await countInput(call)).toEqual(input);
});

test('streams words, each as soon as it is there', async () => {
  const { pieces } = await stream(say('[[sandbox: echo one two  three]]'));
  expect(pieces).toEqual(['one ', 'two  ', 'three'].map((text) => ({ kind: 'text', text })));
});

test('streams slowly in as many pieces as the directive says, from a text long enough', async () => {
  const { pieces, sleeps, end } = await stream(say('[[sandbox: stream 50 20]]'));
  expect(pieces).toHaveLength(50);
  expect(sleeps).toEqual(Array.from({ length: 49 }, () => 20));
  expect(end?.finish).toBe('stop');
});

test('loses an answer after as many pieces as the directive says', async () => {
  for (const [pieces, status] of [
    [0, null],
    [2, 200],
  ] as const) {
    const asked = await stream(say(`[[sandbox: cut ${pieces}]]`));
    expect(asked.pieces).toHaveLength(pieces);
    expect(isNotExecuted(asked.failure)).toBe(false);
    expect(asked.failure).toBeInstanceOf(Error);
    expect(asked.attempts).toMatchObject([{ status, outcome: 'unknown' }]);
  }
  await expect(ask(say('[[sandbox: cut 2]]'))).rejects.toThrow('outcome unknown');
});

const mediaOf = ({ parts = [] }: Generation) =>
  parts.flatMap((part) =>
    part.kind === 'media' ? [{ mimeType: part.mimeType, bytes: Buffer.from(part.data, 'base64') }] : [],
  );

test('draws an image of the size that is asked for, and counts it', async () => {
  const answer = await ask(say('A fox', { modalities: ['image'], image: { aspectRatio: '16:9', size: '512' } }));
  const [image] = mediaOf(answer);
  expect([image?.mimeType, image?.bytes.readUInt32BE(16), image?.bytes.readUInt32BE(20)]).toEqual([
    'image/png',
    688,
    384,
  ]);
  expect([answer.text, quantities(answer.usage)['output_image_tokens']]).toEqual(['', 747]);
  const [another] = mediaOf(await ask(say('A cat', { modalities: ['image'], image: { size: '512' } })));
  expect(another?.bytes.equals(image?.bytes ?? Buffer.alloc(0))).toBe(false);
});

const kinds = (answer: Generation) => answer.parts?.map(({ kind }) => kind);

test('draws with an image model by default', async () => {
  const upstreamModel = 'gemini-3.1-flash-image';
  expect(kinds(await ask(say('A fox', { upstreamModel })))).toEqual(['text', 'media']);
  expect(kinds(await ask(say('A fox', { upstreamModel, modalities: ['text'] })))).toEqual(['text']);
});

test('draws no image that does not fit the output limit, and none of a size that there is not', async () => {
  const answer = await ask(say('A fox', { modalities: ['image'], outputTokensMax: 1_119 }));
  expect([mediaOf(answer), answer.finish]).toEqual([[], 'length']);
  const odd = ask(say('A fox', { modalities: ['image'], image: { size: '8K' } }));
  expect(await refusalOf(odd)).toBe('invalid_request');
});

test('reads a text aloud: raw samples from an older speech model, a WAV file from a newer one', async () => {
  const [raw] = mediaOf(await ask(say('Hello [[sandbox: slow 0]]', { upstreamModel: 'gemini-2.5-pro-preview-tts' })));
  // Five letters of 60 ms, 24,000 samples a second, two bytes each.
  expect([raw?.mimeType, raw?.bytes.length]).toEqual(['audio/L16;rate=24000', 5 * 0.06 * 24_000 * 2]);
  const answer = await ask(say('Hello', { upstreamModel: 'gemini-3.1-flash-tts-preview' }));
  const [wav] = mediaOf(answer);
  expect([wav?.mimeType, wav?.bytes.toString('latin1', 0, 4)]).toEqual(['audio/wav', 'RIFF']);
  expect(wav?.bytes.subarray(44).equals(raw?.bytes ?? Buffer.alloc(0))).toBe(true);
  expect([answer.text, quantities(answer.usage)['output_audio_tokens']]).toEqual(['', 8]);
});

test('speaks its own answer where the model answers and does not read', async () => {
  const answer = await ask(say('[[sandbox: echo Hello]]', { modalities: ['text', 'audio'] }));
  expect([answer.text, mediaOf(answer)[0]?.bytes.length]).toEqual(['Hello', 44 + 14_400]);
});

const read = async (text: string, speech: GenerationCall['speech']): Promise<Buffer> => {
  const upstreamModel = 'gemini-2.5-flash-preview-tts';
  const answer = await ask(say(text, { upstreamModel, ...(speech === undefined ? {} : { speech }) }));
  return mediaOf(answer)[0]?.bytes ?? Buffer.alloc(0);
};

test('gives each speaker the voice that is theirs', async () => {
  const dialogue = await read('Ann: Hi\nBob: Yo\nso', {
    kind: 'several_voices',
    speakers: [
      { speaker: 'Ann', voice: 'Kore' },
      { speaker: 'Bob', voice: 'Puck' },
    ],
  });
  const said = await Promise.all([
    read('Hi', { kind: 'one_voice', voice: 'Kore' }),
    read('Yo', { kind: 'one_voice', voice: 'Puck' }),
    read('so', { kind: 'one_voice', voice: 'Puck' }),
  ]);
  expect(dialogue.equals(Buffer.concat(said))).toBe(true);
  expect(said[0]?.equals(await read('Hi', { kind: 'one_voice', voice: 'Puck' }))).toBe(false);
});

test('cuts a speech at the output limit', async () => {
  const upstreamModel = 'gemini-2.5-flash-preview-tts';
  const answer = await ask(say('Hello there', { upstreamModel, outputTokensMax: 3 }));
  expect([answer.finish, mediaOf(answer)[0]?.bytes.length]).toEqual(['length', 3 * 0.04 * 24_000 * 2]);
  expect(quantities(answer.usage)['output_audio_tokens']).toBe(3);
  const endless = await ask(say('word '.repeat(1_000), { upstreamModel }));
  expect([endless.finish, mediaOf(endless)[0]?.bytes.length]).toEqual(['length', 120 * 24_000 * 2]);
  expect(quantities(endless.usage)['output_audio_tokens']).toBe(3_000);
});

test('runs a program with the tool and shows what it really prints', async () => {
  const answer = await ask(say('[[sandbox: code a = 12\nprint(a ** 2)]] [[sandbox: code print(1 // 0)]]', { tools }));
  const [code, result, failing, failed, text] = answer.parts ?? [];
  expect(code).toMatchObject({ kind: 'executable_code', language: 'PYTHON', code: 'a = 12\nprint(a ** 2)' });
  expect(result).toMatchObject({ kind: 'code_execution_result', outcome: 'ok', output: '144\n' });
  expect([failing?.kind, failed]).toMatchObject(['executable_code', { outcome: 'failed' }]);
  expect(text).toEqual({ kind: 'text', text: answer.text });
  const ids = [code, result, failing].map((part) => (part !== undefined && 'id' in part ? part.id : undefined));
  expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
  expect(quantities(answer.usage)).toMatchObject({ code_execution_runs: 2, tool_use_input_tokens: 10 });
});

test('reads addresses with the tool, counts them, and fetches nothing', async () => {
  const answer = await ask(
    say('Compare https://example.com/a, (http://example.com/b) and https://example.com/a. [[sandbox: url]]', { tools }),
  );
  expect(quantities(answer.usage)['url_fetches']).toBe(2);
  const urlRetrievalStatus = 'URL_RETRIEVAL_STATUS_SUCCESS';
  expect(answer.annotations).toEqual({
    urlContextMetadata: {
      urlMetadata: [
        { retrievedUrl: 'https://example.com/a', urlRetrievalStatus },
        { retrievedUrl: 'http://example.com/b', urlRetrievalStatus },
      ],
    },
  });
});

test('uses no tool that is not offered', async () => {
  expect(await refusalOf(ask(say('[[sandbox: code]]')))).toBe('invalid_request');
  expect(await refusalOf(ask(say('[[sandbox: url]]')))).toBe('invalid_request');
});

test('thinks where it is asked to, shows it on request, and counts it either way', async () => {
  const shown = await ask(say('Hello', { thinking }));
  const [thought, text] = shown.parts ?? [];
  expect(thought).toMatchObject({ kind: 'text', thought: true });
  expect(text).toEqual({ kind: 'text', text: shown.text });
  const hidden = await ask(say('Hello', { thinking: { level: 'medium' } }));
  expect(hidden.parts).toEqual([text]);
  expect(quantities(hidden.usage)).toEqual(quantities(shown.usage));
  expect(quantities(shown.usage)['thought_tokens']).toBeGreaterThan(10);
  expect(quantities((await ask(say('Hello', { thinking: { budgetTokens: 4 } }))).usage)['thought_tokens']).toBe(4);
  const off = await ask(say('Hello', { thinking: { includeThoughts: true, budgetTokens: 0 } }));
  expect([off.parts, quantities(off.usage)['thought_tokens']]).toEqual([[text], undefined]);
});

test('keeps thoughts and answer together within the output limit', async () => {
  const thoughts = quantities((await ask(say('Hello', { thinking }))).usage)['thought_tokens'] ?? 0;
  const little = await ask(say('Hello', { thinking, outputTokensMax: thoughts + 2 }));
  expect([little.text, little.finish]).toEqual(['Sandbox ', 'length']);
  const none = await ask(say('Hello', { thinking, outputTokensMax: 5 }));
  expect([none.text, none.finish, quantities(none.usage)['thought_tokens']]).toEqual(['', 'length', 5]);
});

test('refuses a prompt for the reason that is reported, and measures the input', async () => {
  const { end, pieces } = await stream(say('[[sandbox: block PROHIBITED_CONTENT]]'));
  expect([pieces, end?.finish, end?.promptBlock]).toEqual([[], 'content_filter', 'PROHIBITED_CONTENT']);
  expect(quantities(end?.usage)).toEqual({ input_text_tokens: 10, output_text_tokens: 0 });
});

test.each([
  ['RECITATION', 'content_filter', ''],
  ['LANGUAGE', 'stop', 'all of it'],
  ['MAX_TOKENS', 'length', 'all '],
])('ends with the finer reason %s', async (reason, finish, text) => {
  expect(await ask(say(`[[sandbox: finish ${reason}]] [[sandbox: echo all of it]]`))).toMatchObject({
    finish,
    finishDetail: reason,
    text,
  });
});

test('reports any unit that the directive says, by its own name', async () => {
  for (const unit of usageUnits) {
    const { usage } = await ask(say(`[[sandbox: tokens ${unit}=7]]`));
    expect(quantities(usage)).toEqual({ input_text_tokens: 0, output_text_tokens: 0, [unit]: 7 });
  }
  const short = await ask(say('[[sandbox: tokens image=1 audio=2 video=3 document=4]]'));
  expect(quantities(short.usage)).toMatchObject({
    input_image_tokens: 1,
    input_audio_tokens: 2,
    input_video_tokens: 3,
    input_document_tokens: 4,
  });
});

test('counts as told, and waits for nothing', async () => {
  const attempts: Attempt[] = [];
  const counted = await sandboxProvider().countTokens(
    say('[[sandbox: tokens in=5 cached=4 out=3]] [[sandbox: hang]] [[sandbox: fail]]'),
    {
      caller: sampleCaller,
      signal: new AbortController().signal,
      recordAttempt: (attempt) => void attempts.push(attempt),
    },
  );
  expect(quantities(counted)).toEqual({ input_text_tokens: 5, cached_input_tokens: 4 });
  expect(attempts).toMatchObject([{ status: 200, outcome: 'answered' }]);
});

test('calls one of the functions that a choice allows', async () => {
  const functions = (['a', 'b'] as const).map((name) => ({ kind: 'function', name }) as const);
  const required = await ask(say('Hi', { tools: functions, toolChoice: { kind: 'required', names: ['b'] } }));
  expect(required.functionCalls.map(({ name }) => name)).toEqual(['b']);
  const validated = await ask(say('Hi', { tools: functions, toolChoice: { kind: 'validated', names: ['b'] } }));
  expect(validated.functionCalls).toEqual([]);
});
