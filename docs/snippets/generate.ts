import { readEvents } from '@tollgate/sse';

/** The address of a gateway, and a key for it. */
export interface Target {
  /** Ends in the path, as in `https://host/api/v1/ai`. */
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

export interface Part {
  readonly text?: string;
  readonly functionCall?: {
    readonly id: string;
    readonly name: string;
    readonly args: Readonly<Record<string, unknown>>;
  };
  readonly thoughtSignature?: string;
}

export interface Content {
  readonly role: string;
  readonly parts: readonly object[];
}

interface Answer {
  readonly candidates: readonly { readonly content: { readonly role: 'model'; readonly parts: readonly Part[] } }[];
  readonly service: { readonly request_id: string; readonly credits: number };
}

// The contract defines the form of a response.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const answerIn = (text: string): Answer => JSON.parse(text) as Answer;

const post = ({ baseUrl, key, fetch }: Target, verb: string, identity: string, body: object): Promise<Response> =>
  fetch(
    new Request(`${baseUrl}/models/flash-3.8:${verb}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': identity },
      body: JSON.stringify(body),
    }),
  );

// #region loop
const tools = [{ functionDeclarations: [{ name: 'get_weather', parameters: { type: 'OBJECT', properties: {} } }] }];

/** Generates until the model calls no more functions. Each step is a separate operation, with its own key. */
export const generateWithTools = async (
  target: Target,
  question: string,
  run: (name: string, args: object) => object,
): Promise<string> => {
  const contents: Content[] = [{ role: 'user', parts: [{ text: question }] }];
  for (;;) {
    const answer = await post(target, 'generateContent', crypto.randomUUID(), { contents, tools });
    const { candidates } = answerIn(await answer.text());
    const content = candidates[0]?.content ?? { role: 'model', parts: [] };
    // The turn is sent back unchanged: a signature on a part belongs to the model.
    contents.push(content);
    const calls = content.parts.flatMap(({ functionCall }) => (functionCall === undefined ? [] : [functionCall]));
    if (calls.length === 0) return content.parts.map(({ text }) => text ?? '').join('');
    contents.push({
      role: 'user',
      parts: calls.map(({ id, name, args }) => ({ functionResponse: { id, name, response: run(name, args) } })),
    });
  }
};
// #endregion loop

// #region stream
/** Passes text on as the model writes it, and returns the credits. Throws if the stream does not complete. */
export const streamText = async (target: Target, question: string, onText: (text: string) => void): Promise<number> => {
  const body = { contents: [{ role: 'user', parts: [{ text: question }] }] };
  const identity = crypto.randomUUID();
  const answer = await post(target, 'streamGenerateContent', identity, body);
  if (!answer.ok || answer.body === null) throw new Error(`${answer.status} ${await answer.text()}`);
  for await (const { event, data } of readEvents(answer.body, { eventBytesMax: 67_108_864 })) {
    if (event === 'content.completed') return answerIn(data).service.credits;
    if (event === 'error') throw new Error(data);
    if (data === '[DONE]') break;
    for (const part of answerIn(data).candidates[0]?.content.parts ?? []) onText(part.text ?? '');
  }
  // The received text was provisional. The same body under the same key gets the whole response once it is settled.
  throw new Error(`the stream ${identity} was broken off`);
};
// #endregion stream
