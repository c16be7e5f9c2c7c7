import { describe, expect, test } from 'vitest';
import { samples, toBase64 } from '../../test/media-samples.ts';
import { GatewayError } from '../http/gateway-error.ts';
import { parseGenerateRequest, type GeneratePolicy } from './generate-request.ts';

const strict: GeneratePolicy = { googleCompat: false, snakeCase: false };
const compat: GeneratePolicy = { googleCompat: true, snakeCase: false };
const lenient: GeneratePolicy = { googleCompat: false, snakeCase: true };

const hello = { role: 'user', parts: [{ text: 'Hello' }] } as const;

const turns = (...contents: readonly unknown[]) =>
  parseGenerateRequest({ contents }, { googleCompat: false, snakeCase: false }).contents;
const of = (...parts: readonly unknown[]) => ({ contents: [{ role: 'user', parts }] });
const configured = (generationConfig: unknown) => ({ contents: [hello], generationConfig });
const withTools = (...tools: readonly unknown[]) => ({ contents: [hello], tools });
const declaring = (...functionDeclarations: readonly unknown[]) => withTools({ functionDeclarations });

const refusal = (body: unknown, policy = strict): readonly [string, string] => {
  try {
    parseGenerateRequest(body, policy);
  } catch (cause) {
    if (cause instanceof GatewayError) return [cause.code, cause.message];
    throw cause;
  }
  return ['taken', ''];
};

const partsOf = (body: unknown, policy = strict) => parseGenerateRequest(body, policy).contents[0]?.parts;

const speaker = (name: string) => ({
  speaker: name,
  voiceConfig: { prebuiltVoiceConfig: { voiceName: `${name}-voice` } },
});

const spoken = (...names: readonly string[]) =>
  configured({ speechConfig: { multiSpeakerVoiceConfig: { speakerVoiceConfigs: names.map(speaker) } } });

const some = (count: number, letter: string) => ({
  functionDeclarations: Array.from({ length: count }, (_, index) => ({ name: `${letter}${index}` })),
});

const calling = (functionCallingConfig: unknown) => ({
  ...declaring({ name: 'a' }),
  toolConfig: { functionCallingConfig },
});

const set = (...safetySettings: readonly unknown[]) => refusal({ contents: [hello], safetySettings });

const nested = (depth: number): unknown => JSON.parse(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`);

describe('the body', () => {
  test('is an object with contents, and every other member has its empty value', () => {
    expect(parseGenerateRequest({ contents: [hello] }, strict)).toEqual({
      contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Hello' }] }],
      systemInstruction: null,
      config: {},
      tools: [],
      toolConfig: {},
      safetySettings: [],
      cacheId: null,
    });
  });

  test.each([
    [null, 'invalid_request', 'The body is null; accepted is a JSON object.'],
    [[], 'invalid_request', 'The body is an empty list; accepted is a JSON object.'],
    [{}, 'invalid_request', 'The field contents is missing; accepted is a list of 1 to 10000 entries.'],
    [{ contents: [] }, 'invalid_request', 'The field contents is an empty list; accepted is a list of 1 to 10000'],
    [{ contents: 'Hello' }, 'invalid_request', 'The field contents is text of 5 characters; accepted is a list'],
    [
      { contents: ['Hello'] },
      'invalid_request',
      'The field contents[0] is text of 5 characters; accepted is an object with the fields role and parts.',
    ],
    [{ contents: [{ role: 'user' }] }, 'invalid_request', 'contents[0].parts is missing; accepted is a list'],
    [
      { contents: [{ parts: [{ text: 'a' }] }] },
      'invalid_role',
      'The field contents[0].role is missing; accepted are "user" and "model".',
    ],
    [{ contents: [{ ...hello, role: 'system' }] }, 'invalid_role', 'contents[0].role'],
    [
      { contents: [{ ...hello, name: 'x' }] },
      'unsupported_parameter',
      'The field contents[0].name is not supported; accepted are role, parts.',
    ],
    [
      { contents: [hello], messages: [] },
      'unsupported_parameter',
      'The field messages is not supported; accepted are contents, systemInstruction,',
    ],
    [{ contents: [hello], model: 'a' }, 'unsupported_parameter', 'The field model is not supported; accepted are'],
    [
      { contents: [hello], safetySettings: [] },
      'invalid_request',
      'The field safetySettings is an empty list; accepted is a list of 1 to 16 entries',
    ],
  ])('is refused as %j', (body, code, message) => {
    const [found, detail] = refusal(body);
    expect(found).toBe(code);
    expect(detail).toContain(message);
  });

  test('counts its lists before it looks at their entries', () => {
    const many = Array.from({ length: 100_000 }, () => 1);
    for (const body of [
      configured({ stopSequences: many }),
      configured({ responseModalities: many }),
      { contents: [hello], safetySettings: many },
      withTools(...many),
      declaring(...many),
      { contents: [hello], toolConfig: { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: many } } },
      of(...many),
      { contents: many },
    ])
      expect(refusal(body)).toEqual(['invalid_request', expect.stringMatching(/entries\.$/)]);
  });
});

describe('a part', () => {
  test('is text, media, a file, a call or its response', () => {
    const id = '01900000-0000-7000-8000-00000000000A';
    expect(
      partsOf(
        of(
          { text: 'a' },
          { inlineData: { mimeType: 'Audio/X-WAV', data: samples.wav } },
          { fileData: { fileUri: `files/${id}` } },
          { functionCall: { id: 'c1', name: 'look', args: { at: [1] } } },
          { functionCall: { name: 'look' } },
          { functionResponse: { id: 'c1', name: 'look', response: { seen: true } } },
        ),
      ),
    ).toEqual([
      { kind: 'text', text: 'a' },
      { kind: 'media', mimeType: 'audio/wav', data: samples.wav },
      { kind: 'file', fileId: id.toLowerCase() },
      { kind: 'function_call', id: 'c1', name: 'look', args: { at: [1] } },
      { kind: 'function_call', name: 'look', args: {} },
      { kind: 'function_response', id: 'c1', name: 'look', response: { seen: true } },
    ]);
  });

  test('brings back what it was returned with', () => {
    const back = { thought: true, thoughtSignature: 'c2ln' } as const;
    expect(
      partsOf(
        of(
          { text: '', thoughtSignature: 'c2ln' },
          { text: 'I think', ...back },
          { text: 'so', thought: false },
          { functionCall: { name: 'look' }, ...back },
          { inlineData: { mimeType: 'image/png', data: samples.png }, thoughtSignature: 'c2ln' },
        ),
      ),
    ).toEqual([
      { kind: 'text', text: '', thoughtSignature: 'c2ln' },
      { kind: 'text', text: 'I think', ...back },
      { kind: 'text', text: 'so' },
      { kind: 'function_call', name: 'look', args: {}, ...back },
      { kind: 'media', mimeType: 'image/png', data: samples.png, thoughtSignature: 'c2ln' },
    ]);
  });

  test('says nothing where the model ended with an empty text, and keeps its place among the others', () => {
    const silent = { role: 'model', parts: [{ text: '' }] };
    expect(turns(hello, { role: 'model', parts: [{ text: 'Good' }, { text: '', thought: true }] }, silent)).toEqual([
      { role: 'user', parts: [{ kind: 'text', text: 'Hello' }] },
      { role: 'model', parts: [{ kind: 'text', text: 'Good' }] },
    ]);
    expect(() => turns(silent)).toThrow('The field contents says nothing; accepted is');
    expect(() => turns(hello, { role: 'model', parts: [{ text: '' }, { foo: 1 }] })).toThrow('contents[1].parts[1]');
  });

  test.each([
    [{ text: '' }, 'empty_message', 'contents[0].parts[0].text is empty'],
    [{ text: 1 }, 'unsupported_content', 'contents[0].parts[0].text is 1; accepted is text.'],
    [{ foo: 1 }, 'unsupported_content', 'contents[0].parts[0] is of no known kind (foo)'],
    [{}, 'unsupported_content', 'contents[0].parts[0] is an empty object; accepted are the kinds text,'],
    ['bare', 'unsupported_content', 'contents[0].parts[0] is text of 4 characters; accepted is an object.'],
    [
      { text: 'a', functionCall: { name: 'x' } },
      'unsupported_content',
      'holds both text and functionCall; accepted is one kind',
    ],
    [{ text: 'a', videoMetadata: {} }, 'unsupported_parameter', 'contents[0].parts[0].videoMetadata is not supported'],
    [{ text: 'a', thoughtSignature: '\ud800' }, 'unsupported_content', 'parts[0].thoughtSignature is not the text'],
    [{ inlineData: { data: samples.png } }, 'unsupported_content', 'inlineData.mimeType is missing'],
    [
      { inlineData: { mimeType: 'image/png', data: '?' } },
      'invalid_image',
      'parts[0].inlineData.data is not a complete',
    ],
    [{ inlineData: { mimeType: 'image/png', data: samples.jpeg } }, 'invalid_image', 'parts[0].inlineData.data'],
    [{ inlineData: { mimeType: 'audio/wav', data: samples.mp3 } }, 'unsupported_content', 'parts[0].inlineData.data'],
    [
      { inlineData: { mimeType: 'image/gif', data: samples.gif } },
      'unsupported_content',
      'inlineData.mimeType is image/gif; accepted are audio/wav,',
    ],
    [
      { fileData: { fileUri: 'https://example.com/a' } },
      'unsupported_content',
      'fileData.fileUri is text of 21 characters; accepted is files/',
    ],
    [{ fileData: { fileUri: 'files/none' } }, 'not_found', 'fileData.fileUri was not found'],
    [
      { fileData: { fileUri: 'files/x', mimeType: 'image/png' } },
      'unsupported_parameter',
      'fileData.mimeType is not supported',
    ],
    [{ functionCall: { args: {} } }, 'unsupported_content', 'functionCall.name is missing'],
    [
      { functionCall: { name: 'a', args: 'x' } },
      'unsupported_content',
      'functionCall.args is text of 1 character; accepted is an object.',
    ],
    [
      { functionCall: { name: 'a', args: nested(101) } },
      'unsupported_content',
      'functionCall.args is nested more than 100 levels deep; accepted are at most 100.',
    ],
    [
      { functionResponse: { name: 'a', response: 'x' } },
      'unsupported_content',
      'functionResponse.response is text of 1 character; accepted is an object.',
    ],
    [
      { functionResponse: { name: 'a', response: nested(101) } },
      'unsupported_content',
      'response is nested more than 100 levels deep',
    ],
    [
      { functionResponse: { name: 'a', response: {} }, thought: true },
      'unsupported_parameter',
      'thought is not supported',
    ],
    [
      { executableCode: { language: 'PYTHON', code: '1' } },
      'unsupported_content',
      'parts[0].executableCode is not accepted',
    ],
  ])('is refused as %j', (part, code, message) => {
    const [found, detail] = refusal(of(part));
    expect(found).toBe(code);
    expect(detail).toContain(message);
  });

  test('takes the media of the contract and no other', () => {
    const accepted: readonly (readonly [string, string])[] = [
      ['audio/wav', samples.wav],
      ['audio/mpeg', samples.mp3],
      ['audio/mp4', samples.m4a],
      ['audio/aac', samples.aac],
      ['audio/ogg', samples.ogg],
      ['audio/flac', samples.flac],
      ['video/mp4', samples.mp4],
      ['video/webm', samples.webm],
      ['video/quicktime', samples.quicktime],
      ['image/png', samples.png],
      ['image/jpeg', samples.jpeg],
      ['image/webp', samples.webp],
      ['application/pdf', samples.pdf],
      ['text/plain', samples.text],
    ];
    for (const [mimeType, data] of accepted)
      expect(partsOf(of({ inlineData: { mimeType, data } })), mimeType).toEqual([{ kind: 'media', mimeType, data }]);
    for (const mimeType of ['audio/midi', 'video/x-msvideo', 'image/gif', 'application/msword', 'text/html', ''])
      expect(refusal(of({ inlineData: { mimeType, data: toBase64(Buffer.from('bytes')) } }))[0]).toBe(
        'unsupported_content',
      );
  });
});

describe('the instruction', () => {
  test('is text in one part or several', () => {
    const body = { contents: [hello], systemInstruction: { parts: [{ text: 'Be brief.' }, { text: 'Be kind.' }] } };
    expect(parseGenerateRequest(body, strict).systemInstruction).toEqual(['Be brief.', 'Be kind.']);
  });

  test.each([
    ['Be brief.', 'invalid_request'],
    [{ parts: [] }, 'invalid_request'],
    [{ parts: [{ text: '' }] }, 'empty_message'],
    [{ parts: [{ text: 'a', thought: true }] }, 'unsupported_content'],
    [{ parts: [{ inlineData: { mimeType: 'image/png', data: samples.png } }] }, 'unsupported_content'],
    [{ role: 'user', parts: [{ text: 'a' }] }, 'unsupported_parameter'],
  ])('is refused as %j', (systemInstruction, code) => {
    const [found, detail] = refusal({ contents: [hello], systemInstruction });
    expect(found).toBe(code);
    expect(detail).toContain('systemInstruction');
  });
});

describe('generationConfig', () => {
  test('keeps what the contract lists', () => {
    const config = {
      temperature: 0,
      topP: 1,
      topK: 40,
      seed: -7,
      stopSequences: ['END'],
      responseMimeType: 'application/json',
      responseJsonSchema: { type: 'object' },
      thinkingConfig: { includeThoughts: true, thinkingBudget: -1, thinkingLevel: 'low' },
      mediaResolution: 'MEDIA_RESOLUTION_LOW',
      responseModalities: ['TEXT', 'IMAGE'],
      imageConfig: { aspectRatio: '16:9', imageSize: '2K' },
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } },
    };
    expect(parseGenerateRequest(configured(config), strict).config).toEqual(config);
  });

  test.each([
    [{ temperature: 2.1 }, 'invalid_temperature', 'generationConfig.temperature'],
    [{ temperature: '1' }, 'invalid_temperature', 'generationConfig.temperature'],
    [{ topP: '1' }, 'invalid_request', 'generationConfig.topP'],
    [{ topP: 1.5 }, 'invalid_request', 'generationConfig.topP'],
    [{ topK: 0 }, 'invalid_request', 'generationConfig.topK'],
    [{ topK: '40' }, 'invalid_request', 'generationConfig.topK'],
    [{ seed: 1.5 }, 'invalid_request', 'generationConfig.seed'],
    [{ stopSequences: [] }, 'invalid_request', 'generationConfig.stopSequences'],
    [{ stopSequences: [''] }, 'invalid_request', 'generationConfig.stopSequences[0]'],
    [{ responseMimeType: 'text/html' }, 'invalid_request', 'generationConfig.responseMimeType'],
    [{ responseJsonSchema: [] }, 'invalid_request', 'generationConfig.responseJsonSchema'],
    [{ responseJsonSchema: nested(101) }, 'invalid_request', 'responseJsonSchema is nested more than 100 levels deep'],
    [
      { responseJsonSchema: {}, responseMimeType: 'text/plain' },
      'invalid_request',
      'is text/plain beside a schema; accepted is application/json.',
    ],
    [{ thinkingConfig: { thinkingBudget: -2 } }, 'invalid_request', 'thinkingConfig.thinkingBudget'],
    [{ thinkingConfig: { thinkingLevel: 'Low' } }, 'invalid_request', 'thinkingConfig.thinkingLevel'],
    [{ thinkingConfig: { more: 1 } }, 'unsupported_parameter', 'generationConfig.thinkingConfig.more'],
    [{ mediaResolution: 'HIGH' }, 'invalid_request', 'generationConfig.mediaResolution'],
    [{ responseModalities: ['VIDEO'] }, 'invalid_request', 'generationConfig.responseModalities[0]'],
    [{ imageConfig: { imageSize: 2 } }, 'invalid_request', 'generationConfig.imageConfig.imageSize'],
    [{ speechConfig: {} }, 'invalid_request', 'generationConfig.speechConfig holds neither or both of'],
    [{ speechConfig: { languageCode: 'pt' } }, 'unsupported_parameter', 'speechConfig.languageCode'],
    [{ maxOutputTokens: 5 }, 'unsupported_parameter', 'generationConfig.maxOutputTokens is not supported'],
    [{ candidateCount: 1 }, 'unsupported_parameter', 'generationConfig.candidateCount is not supported'],
    [{ responseSchema: {} }, 'unsupported_parameter', 'generationConfig.responseSchema is not supported'],
    [{ presencePenalty: 1 }, 'unsupported_parameter', 'generationConfig.presencePenalty is not supported'],
  ])('is refused as %j', (config, code, message) => {
    const [found, detail] = refusal(configured(config));
    expect(found).toBe(code);
    expect(detail).toContain(message);
  });

  test('takes exactly two speakers', () => {
    expect(refusal(spoken('Ana', 'Rui'))[0]).toBe('taken');
    expect(refusal(spoken('Ana'))[0]).toBe('invalid_request');
    expect(refusal(spoken('Ana', 'Rui', 'Eva'))[0]).toBe('invalid_request');
  });
});

describe('tools', () => {
  test('declare functions in two forms, and offer what a model has built in', () => {
    const tools = [
      { functionDeclarations: [{ name: 'a', description: 'A.', parameters: { type: 'OBJECT' } }], codeExecution: {} },
      { functionDeclarations: [{ name: 'b', parametersJsonSchema: { type: 'object' } }] },
      { urlContext: {} },
    ];
    expect(parseGenerateRequest(withTools(...tools), strict).tools).toEqual(tools);
  });

  test.each([
    [withTools({}), 'invalid_request', 'tools[0] is an empty object; accepted is'],
    [withTools({ googleMaps: {} }), 'unsupported_parameter', 'tools[0].googleMaps is not supported'],
    [withTools({ googleSearch: {} }), 'unsupported_parameter', 'tools[0].googleSearch is not supported'],
    [withTools({ codeExecution: { a: 1 } }), 'unsupported_parameter', 'tools[0].codeExecution.a is not supported'],
    [declaring({}), 'invalid_request', 'tools[0].functionDeclarations[0].name is missing'],
    [
      declaring({ name: 'a b' }),
      'invalid_request',
      'functionDeclarations[0].name is text of 3 characters; accepted is text of letters',
    ],
    [declaring({ name: `a${'b'.repeat(128)}` }), 'invalid_request', 'functionDeclarations[0].name'],
    [declaring({ name: 'a' }, { name: 'a' }), 'invalid_request', 'functionDeclarations[1].name repeats'],
    [declaring({ name: 'a', parameters: {}, parametersJsonSchema: {} }), 'invalid_request', 'cannot stand beside'],
    [
      declaring({ name: 'a', parameters: nested(101) }),
      'invalid_request',
      'parameters is nested more than 100 levels deep',
    ],
    [declaring({ name: 'a', behavior: 'BLOCKING' }), 'unsupported_parameter', 'functionDeclarations[0].behavior'],
  ])('are refused as %j', (body, code, message) => {
    const [found, detail] = refusal(body);
    expect(found).toBe(code);
    expect(detail).toContain(message);
  });

  test('declare at most 512 functions in all', () => {
    expect(refusal(withTools(some(300, 'a'), some(212, 'b')))[0]).toBe('taken');
    expect(refusal(withTools(some(300, 'a'), some(213, 'b')))[0]).toBe('invalid_request');
    expect(refusal(declaring({ name: `a${'b'.repeat(127)}` }))[0]).toBe('taken');
  });

  test('are chosen among by mode and by name', () => {
    for (const mode of ['AUTO', 'ANY', 'NONE', 'VALIDATED']) expect(refusal(calling({ mode }))[0]).toBe('taken');
    expect(refusal(calling({ mode: 'ANY', allowedFunctionNames: ['a'] }))[0]).toBe('taken');
    expect(refusal(calling({ mode: 'any' }))[0]).toBe('invalid_request');
    expect(refusal(calling({ mode: 'ANY', allowedFunctionNames: ['b'] }))[1]).toContain('does not declare');
    expect(refusal(calling({ allowedFunctionNames: ['a'] }))[1]).toContain(
      '; accepted is one beside ANY or VALIDATED.',
    );
    expect(refusal({ contents: [hello], toolConfig: { retrievalConfig: {} } })[0]).toBe('unsupported_parameter');
  });
});

test('safety settings hold known categories and thresholds, each category once', () => {
  const harassment = { category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' };
  expect(set(harassment)[0]).toBe('taken');
  expect(set({ ...harassment, category: 'JUNK' })).toEqual([
    'invalid_request',
    expect.stringMatching(/^The field safetySettings\[0\]\.category is .*; accepted are "HARM_CATEGORY_HARASSMENT", /),
  ]);
  expect(set({ ...harassment, threshold: 'LOW' })[1]).toContain('safetySettings[0].threshold');
  expect(set(harassment, harassment)[1]).toContain('safetySettings[1].category repeats');
});

test('a cache stands in for instruction and tools', () => {
  const cached = { contents: [hello], cachedContent: 'caches/some' };
  expect(parseGenerateRequest(cached, strict).cacheId).toBe('some');
  expect(refusal({ ...cached, cachedContent: 'cachedContents/some' })[1]).toContain(
    'cachedContent is text of 19 characters; accepted is caches/<cache_id>.',
  );

  expect(parseGenerateRequest({ ...cached, cachedContent: 'cachedContents/some' }, compat).cacheId).toBe('some');
  expect(parseGenerateRequest(cached, compat).cacheId).toBe('some');
  for (const beside of [
    { systemInstruction: { parts: [{ text: 'a' }] } },
    { tools: [{ codeExecution: {} }] },
    { toolConfig: {} },
  ])
    expect(refusal({ ...cached, ...beside })[1]).toBe(
      `The field ${Object.keys(beside)[0]} cannot stand beside cachedContent, which was made with it; accepted is one of the two.`,
    );
});

test('the compatibility option honours what client libraries add', () => {
  const code = { executableCode: { id: 'x', language: 'PYTHON', code: 'print(1)' }, thoughtSignature: 'c2ln' };
  const result = { codeExecutionResult: { outcome: 'OUTCOME_OK' } };
  const fileUri = 'files/01900000-0000-7000-8000-000000000000';
  const parsed = parseGenerateRequest(
    {
      contents: [
        { parts: [{ text: 'a' }, { fileData: { fileUri, mimeType: 'image/png' } }] },
        { role: 'model', parts: [code, result] },
        { role: 'function', parts: [{ functionResponse: { name: 'a', response: {} } }] },
      ],
      systemInstruction: { role: 'user', parts: [{ text: 'Be brief.' }] },
      generationConfig: {
        maxOutputTokens: 5,
        candidateCount: 1,
        responseSchema: { type: 'OBJECT' },
        responseMimeType: 'application/json',
        stopSequences: [],
      },
      safetySettings: [],
    },
    compat,
  );
  expect(parsed.contents).toEqual([
    {
      role: 'user',
      parts: [
        { kind: 'text', text: 'a' },
        { kind: 'file', fileId: '01900000-0000-7000-8000-000000000000', mimeType: 'image/png' },
      ],
    },
    {
      role: 'model',
      parts: [
        { kind: 'executable_code', id: 'x', language: 'PYTHON', code: 'print(1)', thoughtSignature: 'c2ln' },
        { kind: 'code_execution_result', outcome: 'OUTCOME_OK', output: '' },
      ],
    },
    { role: 'user', parts: [{ kind: 'function_response', name: 'a', response: {} }] },
  ]);
  expect(parsed.config).toMatchObject({ maxOutputTokens: 5, candidateCount: 1, responseSchema: { type: 'OBJECT' } });
  for (const config of [
    { candidateCount: 2 },
    { responseSchema: {}, responseJsonSchema: {} },
    { maxOutputTokens: 0 },
    { presencePenalty: 3 },
  ])
    expect(refusal(configured(config), compat)[0]).not.toBe('taken');
});

describe('snake case', () => {
  const body = {
    contents: [
      {
        role: 'user',
        parts: [
          { inline_data: { mime_type: 'image/png', data: samples.png } },
          { function_call: { name: 'a', args: { snake_case: { deep_er: 1 } } } },
        ],
      },
    ],
    system_instruction: { parts: [{ text: 'a_b' }] },
    generation_config: { top_p: 0.5, response_json_schema: { additional_properties: 1 } },
    tools: [{ function_declarations: [{ name: 'a_b', parameters_json_schema: { min_items: 1 } }], code_execution: {} }],
  };

  test('is refused by default, and by the compatibility option', () => {
    expect(refusal(body)).toEqual([
      'unsupported_parameter',
      expect.stringMatching(
        /^The field system_instruction is not supported, and the nearest .* is systemInstruction; accepted/,
      ),
    ]);
    expect(refusal(body, compat)[0]).toBe('unsupported_parameter');
    expect(refusal(withTools({ function_declarations: [] }))[0]).toBe('unsupported_parameter');
  });

  test('is read under the lenient option, and what is the client’s own is left alone', () => {
    expect(parseGenerateRequest(body, lenient)).toMatchObject({
      contents: [
        {
          parts: [
            { kind: 'media', mimeType: 'image/png' },
            { kind: 'function_call', args: { snake_case: { deep_er: 1 } } },
          ],
        },
      ],
      systemInstruction: ['a_b'],
      config: { topP: 0.5, responseJsonSchema: { additional_properties: 1 } },
      tools: [{ functionDeclarations: [{ name: 'a_b', parametersJsonSchema: { min_items: 1 } }], codeExecution: {} }],
    });
    expect(refusal({ contents: [hello], system_instruction: {}, systemInstruction: {} }, lenient)).toEqual([
      'invalid_request',
      'The field systemInstruction is given twice; accepted is it once, in one of its spellings.',
    ]);
    expect(refusal(JSON.parse('{"contents":[],"__proto__":{}}'), lenient)[0]).toBe('unsupported_parameter');
  });
});

test('the compatibility option takes what a function returns, and where calls may come in pieces', () => {
  const declared = { name: 'f', response: { type: 'OBJECT' } };
  const other = { name: 'g', responseJsonSchema: { type: 'object' } };
  const body = {
    contents: [
      { role: 'user', parts: [{ text: 'a' }] },
      {
        role: 'model',
        parts: [
          { functionCall: { name: 'f', partialArgs: [{ jsonPath: '$.a', numberValue: 1 }], willContinue: false } },
        ],
      },
    ],
    tools: [{ functionDeclarations: [declared, other], mcpServers: [] }],
    toolConfig: { functionCallingConfig: { streamFunctionCallArguments: true } },
    generationConfig: { frequencyPenalty: -2, presencePenalty: 2 },
  };
  const parsed = parseGenerateRequest(body, compat);
  expect(parsed.tools).toEqual(body.tools);
  expect(parsed.config).toEqual(body.generationConfig);
  expect(parsed.contents[1]?.parts).toEqual([{ kind: 'function_call', name: 'f', args: { a: 1 } }]);
  for (const part of [
    { tools: body.tools },
    { toolConfig: body.toolConfig },
    { generationConfig: body.generationConfig },
    { contents: body.contents },
  ])
    expect(() =>
      parseGenerateRequest({ contents: [{ role: 'user', parts: [{ text: 'a' }] }], ...part }, strict),
    ).toThrow(GatewayError);
});

test.each([
  [
    { functionDeclarations: [{ name: 'f', response: {}, responseJsonSchema: {} }] },
    /responseJsonSchema.*beside response/,
  ],
  [{ fileSearch: { fileSearchStoreNames: ['a'] } }, /tools\[0\]\.fileSearch .*accepted are.*POST \/interactions/],
  [{ mcpServers: [{ name: 'a' }] }, /tools\[0\]\.mcpServers .*accepted are.*POST \/interactions/],
])('the compatibility option refuses %j by name', (tool, message) => {
  const body = { contents: [{ role: 'user', parts: [{ text: 'a' }] }], tools: [tool] };
  expect(() => parseGenerateRequest(body, compat)).toThrow(
    expect.objectContaining({ message: expect.stringMatching(message) }),
  );
});

test('refuses pieces of arguments that make none', () => {
  const functionCall = { name: 'f', partialArgs: [{ jsonPath: 'a', numberValue: 1 }] };
  const body = { contents: [{ role: 'user', parts: [{ functionCall }] }] };
  expect(() => parseGenerateRequest(body, compat)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(/partialArgs is a list of 1 entry that makes no arguments; accepted are pieces/),
    }),
  );
});
