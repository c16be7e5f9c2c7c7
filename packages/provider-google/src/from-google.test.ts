import { asObject, isNotExecuted, type GenerationEnd, type Part } from '@tollgate/provider';
import { fakeGeminiResponse, fakeGeminiUsage } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { createAnswerReader, endAnswer, endRequest, takeResponse, type AnswerOptions } from './from-google.ts';

const reader = (options: Partial<AnswerOptions> = {}) => {
  let made = 0;
  const newCallId = (): string => `new_${(made += 1)}`;
  return createAnswerReader({
    newCallId,
    isStream: false,
    imageMeter: 'output_image_tokens',
    outputTokensMax: 100_000,
    modelRoundsMax: 16,
    hasSearch: false,
    ...options,
  });
};

interface Read {
  readonly parts: readonly Part[];
  readonly end: GenerationEnd;
}

const read = (responses: readonly unknown[], options: Partial<AnswerOptions> = {}): Read => {
  const answer = reader(options);
  const parts = responses.flatMap((response) => takeResponse(answer, asObject(response) ?? {}));
  endRequest(answer);
  return { parts, end: endAnswer(answer) };
};

const quantities = (end: GenerationEnd): unknown =>
  Object.fromEntries(end.usage.filter(({ quantity }) => quantity > 0).map(({ unit, quantity }) => [unit, quantity]));

test('reads every kind of part, in order, with its state', () => {
  const { parts } = read([
    fakeGeminiResponse([
      { text: 'I think.', thought: true },
      { text: 'Look:', thoughtSignature: 'c2ln+/==' },
      { inlineData: { mimeType: 'audio/L16;rate=24000', data: 'AAAA' } },
      { inlineData: { mimeType: 'image/png', data: 'BBBB' }, thoughtSignature: 'cGlj' },
      { executableCode: { id: 'e1', language: 'PYTHON', code: 'print(1)' } },
      { codeExecutionResult: { id: 'e1', outcome: 'OUTCOME_OK', output: '1\n' } },
      { codeExecutionResult: { outcome: 'OUTCOME_DEADLINE_EXCEEDED' } },
      { functionCall: { id: 'c1', name: 'f', args: { a: 1 } }, thoughtSignature: 'Y2FsbA==' },
      { functionCall: { name: 'g' } },
      { text: '', thoughtSignature: 'bGFzdA==' },
    ]),
  ]);
  expect(parts).toEqual([
    { kind: 'text', text: 'I think.', thought: true },
    { kind: 'text', text: 'Look:', context: 'c2ln+/==' },
    { kind: 'media', mimeType: 'audio/L16;rate=24000', data: 'AAAA' },
    { kind: 'media', mimeType: 'image/png', data: 'BBBB', context: 'cGlj' },
    { kind: 'executable_code', id: 'e1', language: 'PYTHON', code: 'print(1)' },
    { kind: 'code_execution_result', id: 'e1', outcome: 'ok', output: '1\n' },
    { kind: 'code_execution_result', outcome: 'deadline_exceeded', output: '' },
    { kind: 'function_call', id: 'c1', name: 'f', arguments: '{"a":1}', context: 'Y2FsbA==' },
    { kind: 'function_call', id: 'new_1', name: 'g', arguments: '{}' },
    { kind: 'text', text: '', context: 'bGFzdA==' },
  ]);
});

test.each([
  ['no candidates', {}],
  ['an empty list of candidates', { candidates: [] }],
  ['a candidate that is none', { candidates: ['x'] }],
])('reads %s as an answer that was withheld', (_, response) => {
  const { parts, end } = read([{ ...response, usageMetadata: fakeGeminiUsage }]);
  expect([parts, end.finish, end.usage.every(({ confirmed }) => confirmed)]).toEqual([[], 'content_filter', true]);
});

test.each([
  ['no content', { content: undefined }],
  ['no parts', { content: { role: 'model' } }],
  ['parts that are none', { content: { parts: [null, 'x', {}, { text: '' }, { toolCall: { id: '1' } }] } }],
])('reads a candidate with %s as empty', (_, candidate) => {
  const { parts, end } = read([fakeGeminiResponse([], candidate)]);
  expect([parts, end.finish]).toEqual([[], 'stop']);
});

test('gives two calls of one id different ids', () => {
  const call = { functionCall: { id: 'same', name: 'f', args: {} } };
  const { parts } = read([fakeGeminiResponse([call, call])]);
  expect(parts.map((part) => part.kind === 'function_call' && part.id)).toEqual(['same', 'new_1']);
});

test('tells a refused prompt with its reason and what it cost', () => {
  const usageMetadata = { promptTokenCount: 7, totalTokenCount: 7 };
  const { end } = read([{ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata }]);
  expect([end.finish, end.promptBlock, quantities(end)]).toEqual([
    'content_filter',
    'PROHIBITED_CONTENT',
    { input_text_tokens: 7 },
  ]);
});

test('takes a malformed call for a failure of the upstream', () => {
  const answer = reader();
  takeResponse(answer, fakeGeminiResponse([], { finishReason: 'MALFORMED_FUNCTION_CALL' }));
  endRequest(answer);
  expect(() => endAnswer(answer)).toThrow(expect.objectContaining({ reason: 'failed' }));
});

test('cannot call a stream not executed that has handed something over', () => {
  const malformed = fakeGeminiResponse([{ text: 'So far' }], { finishReason: 'MALFORMED_FUNCTION_CALL' });
  const { end } = read([malformed], { isStream: true });
  expect([end.finish, end.finishDetail, end.usage.length > 0]).toEqual(['length', 'MALFORMED_FUNCTION_CALL', true]);
});

const textEvent = (output: number): unknown =>
  fakeGeminiResponse([{ text: 'x' }], {}, { usageMetadata: { promptTokenCount: 10, totalTokenCount: 10 + output } });

test('counts the last usage of a stream, which is a running total', () => {
  const last = fakeGeminiResponse([], {}, { usageMetadata: undefined });
  const { end } = read([textEvent(1), textEvent(2), textEvent(2), last], { isStream: true });
  expect(quantities(end)).toEqual({ input_text_tokens: 10, output_text_tokens: 2 });
});

const confirmedUsage = (events: readonly unknown[]): readonly boolean[] =>
  read(events, { isStream: true }).end.usage.map((usage) => usage.confirmed);

test('does not confirm a usage of a stream that went on after it', () => {
  const unmeasured = fakeGeminiResponse(
    [{ text: ' and on' }],
    { finishReason: undefined },
    { usageMetadata: undefined },
  );
  const ended = fakeGeminiResponse([], {}, { usageMetadata: undefined });
  expect(confirmedUsage([textEvent(1), unmeasured, ended])).toEqual([false, false]);
  expect(confirmedUsage([textEvent(1), unmeasured, fakeGeminiResponse([])])).not.toContain(false);
  expect(
    confirmedUsage([textEvent(1), unmeasured, { usageMetadata: { promptTokenCount: 1, totalTokenCount: 9 } }]),
  ).toEqual([true, true]);
});

test('measures nothing without usage', () => {
  expect(read([fakeGeminiResponse(undefined, {}, { usageMetadata: undefined })]).end.usage).toEqual([]);
});

test('does not confirm the usage of an answer that does not say how it ended', () => {
  const { end } = read([fakeGeminiResponse(undefined, { finishReason: undefined })]);
  expect([end.finish, end.usage.some(({ confirmed }) => confirmed)]).toEqual(['length', false]);
});

test('does not know the outcome of a stream that ends before its answer', () => {
  const answer = reader({ isStream: true });
  takeResponse(answer, fakeGeminiResponse(undefined, { finishReason: undefined }));
  expect(() => endRequest(answer)).toThrow('outcome unknown: answer_cut');
});

const image = { inlineData: { mimeType: 'image/png', data: 'AA' } };

test.each([
  ['output_image_tokens', { input_text_tokens: 1, output_image_tokens: 1_290 }],
  ['images', { input_text_tokens: 1, images: 2 }],
] as const)('meters images once, by %s', (imageMeter, expected) => {
  const usageMetadata = {
    promptTokenCount: 1,
    candidatesTokenCount: 1_290,
    totalTokenCount: 1_291,
    candidatesTokensDetails: [{ modality: 'IMAGE', tokenCount: 1_290 }],
  };
  const parts = [image, { ...image, thought: true }, image];
  expect(quantities(read([fakeGeminiResponse(parts, {}, { usageMetadata })], { imageMeter }).end)).toEqual(expected);
});

test('counts what tools did', () => {
  const code = { executableCode: { language: 'PYTHON', code: '1' } };
  const urlMetadata = [
    { retrievedUrl: 'https://a.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_SUCCESS' },
    { retrievedUrl: 'https://b.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
  ];
  const candidate = { urlContextMetadata: { urlMetadata }, groundingMetadata: { webSearchQueries: ['a', 'b'] } };
  const { end } = read([fakeGeminiResponse([code], candidate), fakeGeminiResponse([code], candidate)]);
  expect(quantities(end)).toMatchObject({
    code_execution_runs: 2,
    url_fetches: 1,
    web_search_queries: 2,
  });
});

const round = (token: string | undefined, usage: readonly [prompt: number, output: number]): unknown =>
  fakeGeminiResponse(
    [{ text: 'x' }],
    token === undefined ? {} : { finishReason: 'CONTINUATION', continuationToken: token },
    {
      usageMetadata: {
        promptTokenCount: usage[0],
        candidatesTokenCount: usage[1],
        totalTokenCount: usage[0] + usage[1],
      },
    },
  );

test('goes on with the token it is given and sums usage over requests', () => {
  const answer = reader();
  takeResponse(answer, asObject(round('t1', [100, 50])) ?? {});
  expect(endRequest(answer)).toBe('t1');
  takeResponse(answer, asObject(round(undefined, [150, 20])) ?? {});
  expect(endRequest(answer)).toBeUndefined();
  const end = endAnswer(answer);
  expect([end.finish, quantities(end)]).toEqual(['stop', { input_text_tokens: 250, output_text_tokens: 70 }]);
});

test.each([
  ['the next request does not fit into what is reserved', { outputTokensMax: 200 }],
  ['it has made as many requests as it may', { modelRoundsMax: 1 }],
])('ends as partial when %s', (_, options) => {
  const answer = reader(options);
  takeResponse(answer, asObject(round('t1', [100, 50])) ?? {});
  expect([endRequest(answer), endAnswer(answer).finish]).toEqual([undefined, 'length']);
});

test('does not confirm a sum that lacks the usage of one request', () => {
  const answer = reader();
  takeResponse(answer, asObject(round('t1', [100, 50])) ?? {});
  endRequest(answer);
  takeResponse(answer, fakeGeminiResponse(undefined, {}, { usageMetadata: undefined }));
  endRequest(answer);
  expect(endAnswer(answer).usage.some(({ confirmed }) => confirmed)).toBe(false);
});

test('passes annotations on without the names of the upstream', () => {
  const { end } = read([
    fakeGeminiResponse([{ text: 'x' }], {
      safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }],
      citationMetadata: { citationSources: [{ uri: 'https://ai.google.dev/page', startIndex: 1 }] },
      finishMessage: 'Gemini stopped.',
      groundingMetadata: {
        searchEntryPoint: { renderedContent: '<b>Google</b>' },
        googleMapsWidgetContextToken: 'w',
        groundingChunks: [{ web: { uri: 'https://vertexaisearch.cloud.google.com/r/1', title: 'a.example' } }],
      },
      avgLogprobs: -1,
    }),
  ]);
  expect(end.annotations).toEqual({
    safetyRatings: [{ category: 'HARM_CATEGORY_HARASSMENT', probability: 'LOW' }],
    citationMetadata: { citationSources: [{ uri: 'https://ai.google.dev/page', startIndex: 1 }] },
    groundingMetadata: { groundingChunks: [{ web: { title: 'a.example' } }] },
  });
});

test('keeps a failure apart from an unknown outcome', () => {
  const answer = reader();
  takeResponse(answer, fakeGeminiResponse([], { finishReason: 'UNEXPECTED_TOOL_CALL' }));
  endRequest(answer);
  let failure: unknown;
  try {
    endAnswer(answer);
  } catch (cause) {
    failure = cause;
  }
  expect(isNotExecuted(failure)).toBe(true);
});
