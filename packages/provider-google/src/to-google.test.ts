import type { BlobPart, Content, GenerationCall, GenerationTool, Part, ToolChoice } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { modelTraitsOf, type ModelTraits } from './model-traits.ts';
import { encodeRequest } from './request-body.ts';
import { missingSignature } from './to-google-contents.ts';
import { cannotSend, toGoogle } from './to-google.ts';

const plain: ModelTraits = {
  systemInFirstTurn: false,
  signedCalls: false,
  thinkingLevels: false,
  interactions: false,
  searches: true,
  tiered: true,
};
const signing: ModelTraits = {
  systemInFirstTurn: false,
  signedCalls: true,
  thinkingLevels: true,
  interactions: false,
  searches: true,
  tiered: true,
};
const openWeights: ModelTraits = {
  systemInFirstTurn: true,
  signedCalls: false,
  thinkingLevels: false,
  interactions: false,
  searches: true,
  tiered: true,
};

const baseCall: GenerationCall = {
  operationId: 'operation',
  upstreamModel: 'gemini-2.5-flash',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

/** The body as it goes out. */
const bodyOf = (
  call: Partial<GenerationCall>,
  traits: ModelTraits = plain,
  uriOf: (blob: BlobPart) => string | undefined = () => undefined,
): unknown => {
  const body = encodeRequest(toGoogle({ ...baseCall, ...call }, traits, uriOf));
  return body.kind === 'bytes' ? (JSON.parse(body.bytes.toString('utf8')) as unknown) : 'pieces';
};

const partsOf = (parts: readonly Part[], traits: ModelTraits = plain, role: Content['role'] = 'user'): unknown => {
  const body = bodyOf({ contents: [{ role, parts }] }, traits) as { contents: { parts: unknown[] }[] };
  return body.contents[0]?.parts;
};

test('writes a minimal call', () => {
  expect(bodyOf({})).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    generationConfig: { maxOutputTokens: 100 },
  });
});

test('writes every kind of part with its state', () => {
  const parts: readonly Part[] = [
    { kind: 'text', text: 'Thinking', thought: true },
    { kind: 'text', text: '', context: 'bGFzdA==' },
    { kind: 'text', text: '' },
    { kind: 'media', mimeType: 'image/png', data: 'AAAA', filename: 'a.png', detail: 'low', context: 'cGlj' },
    { kind: 'function_call', id: 'c1', name: 'f', arguments: '{"a":1}', context: 'Y2FsbA==' },
    { kind: 'function_call', id: 'c2', name: 'g', arguments: '' },
    { kind: 'executable_code', id: 'e1', language: 'PYTHON', code: 'print(1)', context: 'Y29kZQ==' },
    { kind: 'code_execution_result', id: 'e1', outcome: 'ok', output: '1' },
    { kind: 'code_execution_result', outcome: 'deadline_exceeded', output: '' },
  ];
  expect(partsOf(parts, plain, 'model')).toEqual([
    { text: 'Thinking', thought: true },
    { text: '', thoughtSignature: 'bGFzdA==' },
    { inlineData: { mimeType: 'image/png', data: 'AAAA' }, thoughtSignature: 'cGlj' },
    { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
    { functionCall: { id: 'c2', name: 'g', args: {} } },
    { executableCode: { id: 'e1', language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 'Y29kZQ==' },
    { codeExecutionResult: { id: 'e1', outcome: 'OUTCOME_OK', output: '1' } },
    { codeExecutionResult: { outcome: 'OUTCOME_DEADLINE_EXCEEDED', output: '' } },
  ]);
});

test.each([
  ['{"c":21}', { c: 21 }],
  ['mild', { result: 'mild' }],
  ['[1]', { result: '[1]' }],
  ['{"$ref":"x"}', { result: '{"$ref":"x"}' }],
])('writes the result %s of a function as an object', (response, expected) => {
  const part = { kind: 'function_response', id: 'c1', name: 'f', response } as const;
  expect(partsOf([part])).toEqual([{ functionResponse: { id: 'c1', name: 'f', response: expected } }]);
});

const call = (id: string, context?: string): Part => ({
  kind: 'function_call',
  id,
  name: 'f',
  arguments: '{}',
  ...(context === undefined ? {} : { context }),
});

test.each([
  ['no signature', [call('1'), call('2')], [missingSignature, missingSignature]],
  ['one on the first', [call('1', 'sig'), call('2')], ['sig', undefined]],
  ['one on the second', [call('1'), call('2', 'sig')], [missingSignature, 'sig']],
])('puts the placeholder where a newer model has %s', (_, parts, expected) => {
  const signatures = (traits: ModelTraits): unknown =>
    (partsOf(parts, traits, 'model') as { thoughtSignature?: string }[]).map((part) => part.thoughtSignature);
  expect(signatures(signing)).toEqual(expected);
  expect(signatures(plain)).toEqual(parts.map((part) => ('context' in part ? part.context : undefined)));
});

test('leaves out turns that say nothing', () => {
  const contents: readonly Content[] = [
    { role: 'user', parts: [{ kind: 'text', text: 'a' }] },
    { role: 'model', parts: [{ kind: 'text', text: '' }] },
  ];
  expect(bodyOf({ contents })).toMatchObject({ contents: [{ role: 'user' }] });
});

test('writes system text as an instruction, or for open-weights models before the first turn', () => {
  const systemInstruction = 'Be short.';
  expect(bodyOf({ systemInstruction })).toMatchObject({ systemInstruction: { parts: [{ text: 'Be short.' }] } });
  expect(bodyOf({ systemInstruction }, openWeights)).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Be short.\n\n' }, { text: 'Hello' }] }],
    generationConfig: { maxOutputTokens: 100 },
  });
  const contents: readonly Content[] = [{ role: 'model', parts: [{ kind: 'text', text: 'Hi' }] }];
  expect(bodyOf({ systemInstruction, contents }, openWeights)).toMatchObject({
    contents: [{ role: 'user', parts: [{ text: 'Be short.\n\n' }] }, { role: 'model' }],
  });
});

const parameters = { type: 'object', properties: { city: { const: 'Lisbon' } } };
const fn: GenerationTool = { kind: 'function', name: 'f', description: 'Does it.', parameters };
const code: GenerationTool = { kind: 'code_execution' };
const url: GenerationTool = { kind: 'url_context' };

test('declares functions by JSON Schema and turns its own tools on', () => {
  expect(bodyOf({ tools: [code, fn, { kind: 'function', name: 'g' }, url] })).toMatchObject({
    tools: [
      { codeExecution: {} },
      { urlContext: {} },
      {
        functionDeclarations: [
          { name: 'f', description: 'Does it.', parametersJsonSchema: parameters },
          { name: 'g', description: '' },
        ],
      },
    ],
    toolConfig: { functionCallingConfig: { mode: 'AUTO' } },
  });
  expect(bodyOf({ tools: [code] })).not.toHaveProperty('toolConfig');
});

test.each([
  [{ kind: 'auto' }, { mode: 'AUTO' }],
  [{ kind: 'none' }, { mode: 'NONE' }],
  [{ kind: 'required' }, { mode: 'ANY' }],
  [
    { kind: 'required', names: ['f'] },
    { mode: 'ANY', allowedFunctionNames: ['f'] },
  ],
  [{ kind: 'required', names: [] }, { mode: 'ANY' }],
  [{ kind: 'validated' }, { mode: 'VALIDATED' }],
  [
    { kind: 'validated', names: ['f'] },
    { mode: 'VALIDATED', allowedFunctionNames: ['f'] },
  ],
  [
    { kind: 'function', name: 'f' },
    { mode: 'ANY', allowedFunctionNames: ['f'] },
  ],
] as const satisfies readonly (readonly [ToolChoice, object])[])('writes the choice %j', (toolChoice, expected) => {
  expect(bodyOf({ tools: [fn], toolChoice })).toMatchObject({ toolConfig: { functionCallingConfig: expected } });
});

test('has strict functions validated', () => {
  expect(bodyOf({ tools: [{ ...fn, strict: true }] })).toMatchObject({
    toolConfig: { functionCallingConfig: { mode: 'VALIDATED' } },
  });
});

test('asks newer models for functions beside its own tools in their way', () => {
  expect(bodyOf({ tools: [fn, code] }, signing)).toMatchObject({
    toolConfig: { functionCallingConfig: { mode: 'VALIDATED' }, includeServerSideToolInvocations: true },
  });
});

test('leaves its own tools out where no tool may be used', () => {
  expect(bodyOf({ tools: [fn, code], toolChoice: { kind: 'none' } })).toMatchObject({
    tools: [{ functionDeclarations: [{ name: 'f' }] }],
  });
  expect(bodyOf({ tools: [code], toolChoice: { kind: 'none' } })).not.toHaveProperty('tools');
});

test('writes every setting', () => {
  const body = bodyOf({
    sampling: { temperature: 0, topP: 0.5, topK: 3, seed: 7, stopSequences: ['END'], parallelToolCalls: false },
    responseFormat: { kind: 'json_schema', name: 'x', schema: { const: 1 } },
    thinking: { includeThoughts: true, budgetTokens: -1, level: 'low' },
    modalities: ['text', 'image', 'audio'],
    image: { aspectRatio: '16:9', size: '2K' },
    speech: { kind: 'one_voice', voice: 'Kore', language: 'pt-PT' },
    mediaResolution: 'high',
    safety: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
    endUser: 'somebody',
  });
  expect(body).toEqual({
    contents: [{ role: 'user', parts: [{ text: 'Hello' }] }],
    generationConfig: {
      maxOutputTokens: 100,
      temperature: 0,
      topP: 0.5,
      topK: 3,
      seed: 7,
      stopSequences: ['END'],
      responseMimeType: 'application/json',
      responseJsonSchema: { enum: [1] },
      thinkingConfig: { includeThoughts: true, thinkingBudget: -1, thinkingLevel: 'LOW' },
      responseModalities: ['TEXT', 'IMAGE', 'AUDIO'],
      imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
      speechConfig: { languageCode: 'pt-PT', voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
      mediaResolution: 'MEDIA_RESOLUTION_HIGH',
    },
    safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  });
});

test('writes several voices, and JSON without a schema', () => {
  const speakers = [
    { speaker: 'A', voice: 'Kore' },
    { speaker: 'B', voice: 'Puck' },
  ];
  expect(
    bodyOf({ speech: { kind: 'several_voices', speakers }, responseFormat: { kind: 'json_object' } }),
  ).toMatchObject({
    generationConfig: {
      responseMimeType: 'application/json',
      speechConfig: {
        multiSpeakerVoiceConfig: {
          speakerVoiceConfigs: [
            { speaker: 'A', voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
            { speaker: 'B', voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Puck' } } },
          ],
        },
      },
    },
  });
});

const blobOf = (bytes: Uint8Array, chunkBytes: number, rest: Partial<BlobPart> = {}): BlobPart => ({
  kind: 'blob',
  mimeType: 'application/pdf',
  sizeBytes: bytes.length,
  async *read() {
    for (let at = 0; at < bytes.length; at += chunkBytes)
      yield await Promise.resolve(bytes.subarray(at, at + chunkBytes));
  },
  ...rest,
});

const contentsWith = (blob: BlobPart): readonly Content[] => [
  { role: 'user', parts: [{ kind: 'text', text: 'é' }, blob, { kind: 'text', text: 'b' }] },
];

test('names a blob that the upstream has', () => {
  const blob = blobOf(new Uint8Array(3), 1);
  expect(bodyOf({ contents: contentsWith(blob) }, plain, () => 'https://u.example/files/1')).toMatchObject({
    contents: [
      {
        parts: [
          { text: 'é' },
          { fileData: { mimeType: 'application/pdf', fileUri: 'https://u.example/files/1' } },
          { text: 'b' },
        ],
      },
    ],
  });
});

const readBody = async (blob: BlobPart): Promise<{ readonly text: string; readonly byteLength: number }> => {
  const request = toGoogle({ ...baseCall, contents: contentsWith(blob) }, plain, () => undefined);
  const body = encodeRequest(request);
  if (body.kind === 'bytes') throw new Error('the body is in memory');
  const pieces: Uint8Array[] = [];
  for await (const piece of body.read()) pieces.push(piece);
  return { text: Buffer.concat(pieces).toString('utf8'), byteLength: body.byteLength };
};

test.each([
  [0, 1],
  [1, 1],
  [2, 1],
  [3, 1],
  [10, 1],
  [10, 4],
  [1_000, 7],
  [1_000, 1_000],
])(
  'sends a blob of %i bytes in chunks of %i as base64, with its length known before',
  async (sizeBytes, chunkBytes) => {
    const bytes = Uint8Array.from({ length: sizeBytes }, (_, index) => (index * 7) % 256);
    const { text, byteLength } = await readBody(blobOf(bytes, chunkBytes, { context: 'c2ln' }));
    expect(Buffer.byteLength(text)).toBe(byteLength);
    expect(JSON.parse(text)).toMatchObject({
      contents: [
        {
          parts: [
            { text: 'é' },
            {
              inlineData: { mimeType: 'application/pdf', data: Buffer.from(bytes).toString('base64') },
              thoughtSignature: 'c2ln',
            },
            { text: 'b' },
          ],
        },
      ],
    });
  },
);

test.each([2, 4])('does not send a blob to its end that has %i bytes in place of three', async (bytes) => {
  await expect(readBody(blobOf(new Uint8Array(bytes), 1, { sizeBytes: 3 }))).rejects.toThrow('has another size');
});

test.each([
  ['[1]', false],
  ['{', false],
  [' ', true],
  ['{}', true],
])('says whether it can send the arguments "%s": %s', (args, expected) => {
  const parts: readonly Part[] = [{ kind: 'function_call', id: '1', name: 'f', arguments: args }];
  expect(cannotSend({ ...baseCall, contents: [{ role: 'model', parts }] }, plain) === undefined).toBe(expected);
});

test.each([
  ['gemini-2.5-flash', false, false, true, true, true],
  ['gemini-3.8-flash', false, true, true, true, true],
  ['gemini-12-pro', false, true, true, true, true],
  ['gemini-flash-latest', false, true, true, true, true],
  ['gemini-omni-1.1-flash', false, false, true, false, true],
  ['gemini-3.5-transcribe', false, true, true, false, true],
  ['gemini-2.5-flash-preview-tts', false, false, false, false, true],
  ['gemini-2.5-flash-native-audio-latest', false, false, false, false, false],
  ['gemini-embedding-001', false, false, false, false, false],
  ['gemma-4-31b-it', true, false, false, false, false],
  ['models/gemma-4-31b-it', true, false, false, false, false],
  ['veo-3.1-generate-preview', false, false, false, false, false],
  ['lyria-3.5', false, false, true, false, false],
  ['lyria-realtime-exp', false, false, false, false, false],
  ['deep-research-preview-04-2026', false, false, true, false, false],
  ['antigravity-preview-05-2026', false, false, true, false, false],
])(
  'knows the traits of %s by its name',
  (model, ...[systemInFirstTurn, signedCalls, interactions, searches, tiered]) => {
    expect(modelTraitsOf(model)).toEqual({
      systemInFirstTurn,
      signedCalls,
      thinkingLevels: signedCalls,
      interactions,
      searches,
      tiered,
    });
  },
);

test.each([
  ['JSON', '{"reasoning_content":"Hm."}'],
  ['JSON in base64', Buffer.from('{"metadata":{"openai":{"itemId":"i"}}}').toString('base64')],
])('does not send the state of another provider as a signature: %s', (_, context) => {
  const parts: readonly Part[] = [
    { kind: 'text', text: 'a', context },
    { kind: 'text', text: '', context },
  ];
  expect(partsOf([...parts, call('1', context)], signing, 'model')).toEqual([
    { text: 'a' },
    { functionCall: { id: '1', name: 'f', args: {} }, thoughtSignature: missingSignature },
  ]);
});

test('names the cache that holds the context', () => {
  const cached = { ...baseCall, cached: { reference: 'cachedContents/c', tokens: 1 } };
  expect(cannotSend(cached, plain)).toBeUndefined();
  expect(toGoogle(cached, modelTraitsOf('gemini-2.5-flash'), () => undefined).rest).toMatchObject({
    cachedContent: 'cachedContents/c',
  });
});

test.each([
  ['minimal', 512, 'MINIMAL'],
  ['low', 1_024, 'LOW'],
  ['medium', 8_192, 'MEDIUM'],
  ['high', 24_576, 'HIGH'],
] as const)(
  'tells the level %s as %i tokens to models that know budgets alone',
  (level, thinkingBudget, thinkingLevel) => {
    const asked = { ...baseCall, thinking: { level } };
    const configOf = (traits: ModelTraits) => toGoogle(asked, traits, () => undefined).rest['generationConfig'];
    expect(configOf(plain)).toMatchObject({ thinkingConfig: { thinkingBudget } });
    expect(configOf(plain)).not.toHaveProperty('thinkingConfig.thinkingLevel', expect.anything());
    expect(configOf(signing)).toMatchObject({ thinkingConfig: { thinkingLevel } });
    expect(configOf(signing)).not.toHaveProperty('thinkingConfig.thinkingBudget', expect.anything());
  },
);
