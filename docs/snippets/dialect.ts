import { GatewayError } from '@tollgate/contract';
import { createGateway, type AnswerPart, type Gateway, type GatewayOptions, type GenerationDialect } from 'tollgate';

// #region dialect
const textIn = (parts: readonly AnswerPart[]): string =>
  parts.map((part) => (part.kind === 'text' && part.thought !== true ? part.text : '')).join('');

const fieldOf = (body: unknown, name: string): unknown =>
  typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;

const promptIn = (body: unknown): string => {
  const prompt = fieldOf(body, 'prompt');
  if (typeof prompt === 'string' && prompt !== '') return prompt;
  throw new GatewayError('invalid_request', { detail: 'The field prompt is missing or empty; accepted is text.' });
};

/** `{"prompt", "stream"}` to `{"text"}`, at `POST /complete`. */
export const completion: GenerationDialect = {
  name: 'completion',
  path: '/complete',
  mediaPlaces: [],
  dataUrls: false,
  fieldNames: new Map([['contents', 'prompt']]),
  schemaField: 'schema',
  read: (body) => {
    const prompt = promptIn(body);
    return {
      model: undefined,
      stream: fieldOf(body, 'stream') === true,
      fileIds: [],
      callIds: [],
      echo: {},
      toCall: (model) => ({
        upstreamModel: model.upstreamId,
        systemInstruction: null,
        contents: [{ role: 'user', parts: [{ kind: 'text', text: prompt }] }],
        tools: [],
        toolChoice: { kind: 'auto' },
        responseFormat: { kind: 'text' },
        sampling: {},
        outputTokensMax: model.maxOutputTokens,
      }),
    };
  },
  openStream: () => ({
    piece: (parts) => `data: ${JSON.stringify({ text: textIn(parts) })}\n\n`,
    end: ({ receipt }) => `data: ${JSON.stringify({ done: true, ...receipt })}\n\n`,
    fail: ({ code }) => `data: ${JSON.stringify({ error: code })}\n\n`,
  }),
  writeWhole: ({ id }, { answer, receipt }) => JSON.stringify({ id, text: textIn(answer.parts), ...receipt }),
};
// #endregion dialect

// #region gateway
export const openWithDialect = (options: GatewayOptions): Promise<Gateway> =>
  createGateway({ ...options, dialects: [completion] });
// #endregion gateway
