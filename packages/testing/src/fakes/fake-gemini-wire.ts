/** A JSON object as the wire has it. */
export type WireRecord = { readonly [key: string]: unknown };

const isRecord = (value: unknown): value is WireRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const recordOf = (value: unknown): WireRecord => (isRecord(value) ? value : {});
// Sound: `Array.isArray` proves an array and unknown takes any element.
export const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

export const parseWire = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** Usage of 100 prompt tokens and 20 of the answer. */
export const fakeGeminiUsage: WireRecord = {
  promptTokenCount: 100,
  candidatesTokenCount: 20,
  totalTokenCount: 120,
  promptTokensDetails: [{ modality: 'TEXT', tokenCount: 100 }],
};

/** One response as the wire has it; `candidate` and `rest` replace members. */
export const fakeGeminiResponse = (
  parts: readonly unknown[] = [{ text: 'Hello from upstream.' }],
  candidate: object = {},
  rest: object = {},
): WireRecord => ({
  candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0, ...candidate }],
  usageMetadata: fakeGeminiUsage,
  modelVersion: 'gemini-fake-001',
  responseId: 'fake-response',
  ...rest,
});

/** An error body with its details. */
export const fakeGeminiError = (
  code: number,
  status: string,
  message: string,
  details: readonly object[] = [],
): WireRecord => ({ error: { code, message, status, details: details.length === 0 ? undefined : details } });

/** What the events of a stream come to, as the upstream returns it in one piece. */
export const mergeResponses = (responses: readonly unknown[]): unknown => {
  if (responses.length < 2) return responses[0];
  const parts: unknown[] = [];
  const candidate: Record<string, unknown> = {};
  const merged: Record<string, unknown> = {};
  for (const value of responses) {
    const response = recordOf(value);
    const next = recordOf(listOf(response['candidates'])[0]);
    parts.push(...listOf(recordOf(next['content'])['parts']));
    Object.assign(candidate, next);
    Object.assign(merged, response);
  }
  return { ...merged, candidates: [{ ...candidate, content: { role: 'model', parts } }] };
};

/** The events of a response, as the upstream streams it: each text in two, the ending with the last part. */
export const splitResponse = (value: unknown): readonly unknown[] => {
  const response = recordOf(value);
  const candidate = recordOf(listOf(response['candidates'])[0]);
  const parts = listOf(recordOf(candidate['content'])['parts']).flatMap(halves);
  if (parts.length < 2) return [value];
  const { content: _content, ...ending } = candidate;
  return parts.map((part, index) => {
    const isLast = index === parts.length - 1;
    const content = { role: 'model', parts: [part] };
    if (isLast) return { ...response, candidates: [{ content, ...ending }] };
    const usage =
      response['usageMetadata'] === undefined ? {} : { usageMetadata: { promptTokenCount: 100, totalTokenCount: 100 } };
    return { candidates: [{ content, index: 0 }], ...usage, modelVersion: response['modelVersion'] };
  });
};

const halves = (value: unknown): readonly unknown[] => {
  const part = recordOf(value);
  const text = part['text'];
  if (typeof text !== 'string' || text.length < 2 || part['thoughtSignature'] !== undefined) return [value];
  const middle = Math.ceil(text.length / 2);
  return [
    { ...part, text: text.slice(0, middle) },
    { ...part, text: text.slice(middle) },
  ];
};

const vectorOf = (text: string, dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, index) => text.length / (index + 2) - (text.codePointAt(index) ?? 0));

const embeddingOf = (value: unknown): WireRecord => {
  const { content, outputDimensionality } = recordOf(value);
  const dimensions = typeof outputDimensionality === 'number' ? outputDimensionality : 3;
  return { values: vectorOf(JSON.stringify(recordOf(content)['parts']), dimensions) };
};

/** The answer to either request of embeddings: equal contents have equal vectors. */
export const fakeGeminiEmbeddings = (request: unknown, rest: object = {}): WireRecord => {
  const { requests } = recordOf(request);
  const inputs = requests === undefined ? 1 : listOf(requests).length;
  const usageMetadata = { promptTokenCount: 4 * inputs, totalTokenCount: 4 * inputs };
  if (requests === undefined) return { embedding: embeddingOf(request), usageMetadata, ...rest };
  return { embeddings: listOf(requests).map(embeddingOf), usageMetadata, ...rest };
};

/** The answer to a count: four characters of text are a token, and any other part is 258. */
export const fakeGeminiCount = (request: unknown): WireRecord => {
  const parts = listOf(recordOf(request)['contents']).flatMap((content) => listOf(recordOf(content)['parts']));
  const texts = parts.map((part) => recordOf(part)['text']).filter((text) => typeof text === 'string');
  const textTokens = Math.ceil(texts.join('').length / 4);
  const mediaTokens = 258 * (parts.length - texts.length);
  return {
    totalTokens: textTokens + mediaTokens,
    promptTokensDetails: [
      { modality: 'TEXT', tokenCount: textTokens },
      ...(mediaTokens === 0 ? [] : [{ modality: 'IMAGE', tokenCount: mediaTokens }]),
    ],
  };
};
