type JsonRecord = { readonly [key: string]: unknown };

const isRecord = (value: unknown): value is JsonRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const recordOf = (value: unknown): JsonRecord => (isRecord(value) ? value : {});
// Sound: `Array.isArray` proves an array and unknown takes any element.
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? (value as readonly unknown[]) : []);

/** A chat completion as the wire has it: 100 prompt tokens and 20 completion tokens, unless `choice` or `rest` say otherwise. */
export const fakeCompletion = (choice: object = {}, rest: object = {}): JsonRecord => ({
  id: 'chatcmpl-fake',
  object: 'chat.completion',
  created: 1_700_000_000,
  model: 'fake-model',
  choices: [
    { index: 0, message: { role: 'assistant', content: 'Hello from upstream.' }, finish_reason: 'stop', ...choice },
  ],
  usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
  ...rest,
});

/** One chunk of a streamed completion, with what of the first choice it carries. */
export const fakeChunk = (delta: object = {}, choice: object = {}, rest: object = {}): JsonRecord => ({
  id: 'chatcmpl-fake',
  object: 'chat.completion.chunk',
  created: 1_700_000_000,
  model: 'fake-model',
  choices: [{ index: 0, delta, finish_reason: null, ...choice }],
  ...rest,
});

const halves = (text: string): readonly string[] => {
  const characters = Array.from(text);
  const middle = Math.ceil(characters.length / 2);
  return [characters.slice(0, middle).join(''), characters.slice(middle).join('')].filter((half) => half !== '');
};

/** A tool call comes as its head and then its arguments in two. */
const callDeltas = (value: unknown, index: number): readonly object[] => {
  const call = recordOf(value);
  const fn = recordOf(call['function']);
  const args = typeof fn['arguments'] === 'string' ? fn['arguments'] : '';
  const head = { ...call, index, function: { ...fn, arguments: '' } };
  return [head, ...halves(args).map((half) => ({ index, function: { arguments: half } }))];
};

const deltasOf = (message: JsonRecord): readonly object[] => {
  const { role: _role, content, tool_calls: calls, ...rest } = message;
  const texts = typeof content === 'string' ? halves(content) : [];
  return [
    { role: 'assistant', content: '' },
    ...Object.entries(rest).flatMap(([name, value]) =>
      (typeof value === 'string' ? halves(value) : [value]).map((piece) => ({ [name]: piece })),
    ),
    ...texts.map((piece) => ({ content: piece })),
    ...listOf(calls)
      .flatMap(callDeltas)
      .map((call) => ({ tool_calls: [call] })),
  ];
};

/** The same completion as a stream carries it; usage comes in a chunk of its own, as it does where it is asked for. */
export const fakeChunks = (completion: unknown): readonly JsonRecord[] => {
  const { choices, usage } = recordOf(completion);
  const choice = recordOf(listOf(choices)[0]);
  return [
    ...deltasOf(recordOf(choice['message'])).map((delta) => fakeChunk(delta)),
    fakeChunk({}, { finish_reason: choice['finish_reason'] ?? null }),
    ...(usage === undefined ? [] : [fakeChunk({}, {}, { choices: [], usage })]),
  ];
};

const vectorOf = (text: string, dimensions: number): readonly number[] =>
  Array.from({ length: dimensions }, (_, index) => text.length / (index + 2) - (text.codePointAt(index) ?? 0));

/** The answer to a request of embeddings: equal texts have equal vectors, and the list is out of order, as it may be. */
export const fakeEmbeddings = (request: unknown, rest: object = {}): JsonRecord => {
  const { input, dimensions } = recordOf(request);
  const texts = typeof input === 'string' ? [input] : listOf(input).map(String);
  const length = typeof dimensions === 'number' ? dimensions : 3;
  const data = texts.map((text, index) => ({ object: 'embedding', index, embedding: vectorOf(text, length) }));
  return {
    object: 'list',
    model: 'fake-model',
    data: data.toReversed(),
    usage: { prompt_tokens: 4 * texts.length, total_tokens: 4 * texts.length },
    ...rest,
  };
};
