type JsonRecord = { readonly [key: string]: unknown };

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
// Sound: `Array.isArray` proves an array and unknown takes any element.
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** A usage as the wire has it: 100 tokens of input and 20 of output, unless `rest` says otherwise. */
export const fakeMessageUsage = (rest: object = {}): JsonRecord => ({
  input_tokens: 100,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
  output_tokens: 20,
  server_tool_use: null,
  service_tier: 'standard',
  ...rest,
});

/** A message of these blocks as the wire has it. */
export const fakeMessage = (
  content: readonly object[] = [{ type: 'text', text: 'Hello from upstream.', citations: null }],
  rest: object = {},
): JsonRecord => ({
  id: 'msg_fake',
  type: 'message',
  role: 'assistant',
  model: 'fake-model',
  content,
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: fakeMessageUsage(),
  ...rest,
});

const halves = (text: string): readonly string[] => {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')].filter((half) => half !== '');
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** How a block begins, and the deltas that bring the rest of it. */
const divided = (block: JsonRecord): { readonly start: object; readonly deltas: readonly object[] } => {
  switch (block['type']) {
    case 'text':
      return {
        start: { ...block, text: '', citations: block['citations'] === undefined ? undefined : null },
        deltas: [
          ...listOf(block['citations']).map((citation) => ({ type: 'citations_delta', citation })),
          ...halves(textOf(block['text'])).map((text) => ({ type: 'text_delta', text })),
        ],
      };
    case 'thinking':
      return {
        start: { ...block, thinking: '', signature: '' },
        deltas: [
          ...halves(textOf(block['thinking'])).map((thinking) => ({ type: 'thinking_delta', thinking })),
          { type: 'signature_delta', signature: block['signature'] },
        ],
      };
    case 'tool_use':
    case 'server_tool_use': {
      const json = JSON.stringify(block['input'] ?? {});
      const deltas = ['', ...halves(json)].map((partial) => ({ type: 'input_json_delta', partial_json: partial }));
      return { start: { ...block, input: {} }, deltas };
    }
    default:
      return { start: block, deltas: [] };
  }
};

const blockEvents = (block: unknown, index: number): readonly JsonRecord[] => {
  const { start, deltas } = divided(recordOf(block));
  return [
    { type: 'content_block_start', index, content_block: start },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
};

/** The same message as a stream carries it: its input is counted at the beginning, and all of it at the end. */
export const fakeMessageEvents = (message: unknown): readonly JsonRecord[] => {
  const { content, stop_reason: reason, stop_sequence: sequence, usage, ...head } = recordOf(message);
  const begun = usage === undefined ? {} : { usage: { ...recordOf(usage), output_tokens: 1 } };
  return [
    { type: 'message_start', message: { ...head, content: [], stop_reason: null, stop_sequence: null, ...begun } },
    { type: 'ping' },
    ...listOf(content).flatMap(blockEvents),
    {
      type: 'message_delta',
      delta: { stop_reason: reason, stop_sequence: sequence },
      usage: usage === undefined ? undefined : { ...recordOf(usage), cache_creation: undefined },
    },
    { type: 'message_stop' },
  ];
};

/** An error as its body says it, and as a stream does. */
export const fakeAnthropicError = (type: string, message: string): JsonRecord => ({
  type: 'error',
  error: { type, message },
  request_id: 'req-of-the-body',
});
