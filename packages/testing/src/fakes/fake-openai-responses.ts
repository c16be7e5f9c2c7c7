type JsonRecord = { readonly [key: string]: unknown };

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
// Sound: `Array.isArray` proves an array and unknown takes any element.
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** A message of a response. */
export const fakeResponseMessage = (text: string, rest: object = {}): JsonRecord => ({
  type: 'message',
  id: 'msg_fake',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [], ...rest }],
});

/** A response as the wire has it: 100 input and 20 output tokens, unless `rest` says otherwise. */
export const fakeResponse = (
  output: readonly object[] = [fakeResponseMessage('Hello from upstream.')],
  rest: object = {},
): JsonRecord => ({
  id: 'resp_fake',
  object: 'response',
  created_at: 1_700_000_000,
  model: 'fake-model',
  status: 'completed',
  error: null,
  incomplete_details: null,
  output,
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  },
  ...rest,
});

/** Whether a body is such a response. */
export const isFakeResponse = (value: unknown): boolean => recordOf(value)['object'] === 'response';

const halves = (value: unknown): readonly string[] => {
  const characters = Array.from(typeof value === 'string' ? value : '');
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')].filter((half) => half !== '');
};

const deltas = (type: string, text: unknown, place: object): readonly object[] =>
  halves(text).map((delta) => ({ type, ...place, delta }));

const messageEvents = (item: JsonRecord, place: object): readonly object[] =>
  listOf(item['content']).flatMap((content, index) => {
    const at = { ...place, content_index: index };
    return deltas('response.output_text.delta', recordOf(content)['text'], at);
  });

const summaryEvents = (item: JsonRecord, place: object): readonly object[] =>
  listOf(item['summary']).flatMap((part, index) => {
    const at = { ...place, summary_index: index };
    return [
      { type: 'response.reasoning_summary_part.added', ...at, part: { type: 'summary_text', text: '' } },
      ...deltas('response.reasoning_summary_text.delta', recordOf(part)['text'], at),
    ];
  });

const innerEvents = (item: JsonRecord, place: object): readonly object[] => {
  switch (item['type']) {
    case 'message':
      return messageEvents(item, place);
    case 'reasoning':
      return summaryEvents(item, place);
    case 'function_call':
      return deltas('response.function_call_arguments.delta', item['arguments'], place);
    default:
      return [];
  }
};

const begun = (item: JsonRecord): JsonRecord => {
  const { type, id, call_id: callId, name } = item;
  return {
    type,
    id,
    call_id: callId,
    name,
    status: 'in_progress',
    arguments: type === 'function_call' ? '' : undefined,
  };
};

/** The events of one output item. */
export const fakeItemEvents = (value: unknown, index: number): readonly object[] => {
  const item = recordOf(value);
  const place = { output_index: index, item_id: item['id'] };
  return [
    { type: 'response.output_item.added', output_index: index, item: begun(item) },
    ...innerEvents(item, place),
    { type: 'response.output_item.done', output_index: index, item },
  ];
};

const numbered = (event: object, index: number): object => ({ ...event, sequence_number: index });

/** The first events of a response. */
export const fakeResponseBegun = (response: unknown = fakeResponse()): readonly object[] => {
  const open = { ...recordOf(response), status: 'in_progress', output: [], usage: null };
  return [
    { type: 'response.created', response: open },
    { type: 'response.in_progress', response: open },
  ];
};

/** The same response as a stream carries it. */
export const fakeResponseEvents = (response: unknown): readonly object[] => {
  const status = recordOf(response)['status'];
  return [
    ...fakeResponseBegun(response),
    ...listOf(recordOf(response)['output']).flatMap(fakeItemEvents),
    { type: `response.${typeof status === 'string' ? status : 'completed'}`, response },
  ].map(numbered);
};
