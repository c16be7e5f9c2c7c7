import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type OpenAI from 'openai';
import { readReceipt } from './receipt.ts';

/** The model that the key is bound to; leaving it out of the wire body would do as well, but the library wants one. */
const model = 'flash-3.8';

/** A new identity for each operation; the library sends it again with its own retries. */
const identified = (): { readonly headers: { readonly 'Idempotency-Key': string } } => ({
  headers: { 'Idempotency-Key': randomUUID() },
});

export const chat = async (client: OpenAI): Promise<void> => {
  const completion = await client.chat.completions.create(
    { model, messages: [{ role: 'user', content: '[[sandbox: echo Hello]]' }] },
    identified(),
  );
  assert.equal(completion.choices[0]?.message.content, 'Hello');
  assert.equal(completion.choices[0]?.finish_reason, 'stop');
  const receipt = readReceipt(completion);
  assert.ok(receipt);
  assert.equal(completion.id, `chatcmpl-${receipt.requestId}`);
  assert.ok(receipt.credits > 0);
};

export const stream = async (client: OpenAI): Promise<void> => {
  const chunks = await client.chat.completions.create(
    { model, stream: true, messages: [{ role: 'user', content: '[[sandbox: echo Hello in a stream]]' }] },
    identified(),
  );
  let text = '';
  let credits = 0;
  for await (const chunk of chunks) {
    text += chunk.choices[0]?.delta.content ?? '';
    credits += readReceipt(chunk)?.credits ?? 0;
  }
  assert.equal(text, 'Hello in a stream');
  assert.ok(credits > 0);
};

const weatherTool = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'The weather in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
} as const;

/** Each step of a tool loop is an operation with an identity of its own. */
export const toolLoop = async (client: OpenAI): Promise<void> => {
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'user', content: 'Weather? [[sandbox: tool get_weather {"city":"Lisbon"}]]' },
  ];
  const first = await client.chat.completions.create({ model, messages, tools: [weatherTool] }, identified());
  const message = first.choices[0]?.message;
  const call = message?.tool_calls?.[0];
  assert.ok(message);
  assert.ok(call?.type === 'function');
  assert.equal(call.function.name, 'get_weather');
  assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Lisbon' });
  // The whole message goes back, so that ids and `context` stay as they were.
  messages.push(message, { role: 'tool', tool_call_id: call.id, content: '{"celsius":21}' });
  const second = await client.chat.completions.create({ model, messages, tools: [weatherTool] }, identified());
  const text = second.choices[0]?.message.content ?? '';
  assert.match(text, /Result of get_weather: "\{"celsius":21\}"/);
  assert.match(text, /context: ok\./);
};

/** A PNG of one pixel. */
const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const image = async (client: OpenAI): Promise<void> => {
  const completion = await client.chat.completions.create(
    {
      model,
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is in the image?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${pixel}` } },
          ],
        },
      ],
    },
    identified(),
  );
  assert.match(completion.choices[0]?.message.content ?? '', /Media image\/png of 70 bytes\./);
};

/** The same body under the same identity: the same bytes again, and no second charge. */
export const replay = async (client: OpenAI): Promise<void> => {
  const options = identified();
  const ask = async (): Promise<{ readonly replayed: string | null; readonly body: string }> => {
    const response = await client.chat.completions
      .create({ model, messages: [{ role: 'user', content: 'Charge me once.' }] }, options)
      .asResponse();
    return { replayed: response.headers.get('idempotency-replayed'), body: await response.text() };
  };
  const first = await ask();
  const second = await ask();
  assert.equal(first.replayed, 'false');
  assert.equal(second.replayed, 'true');
  assert.equal(second.body, first.body);
};

/** A client that lost a response but knows the request id reads it from the record, free of charge. */
export const recover = async (client: OpenAI): Promise<void> => {
  const completion = await client.chat.completions.create(
    { model, messages: [{ role: 'user', content: '[[sandbox: echo do not lose me]]' }] },
    identified(),
  );
  const requestId = readReceipt(completion)?.requestId;
  assert.ok(requestId);
  const record = await client.get<{ status: string; response: OpenAI.ChatCompletion | null }>(`/requests/${requestId}`);
  assert.equal(record.status, 'completed');
  assert.deepEqual(record.response, JSON.parse(JSON.stringify(completion)));
};

/** An outcome that is unknown is not repeated by the library: the gateway tells it not to. */
export const uncertain = async (client: OpenAI): Promise<string> => {
  const ask = client.chat.completions.create(
    { model, messages: [{ role: 'user', content: '[[sandbox: unknown]]' }] },
    identified(),
  );
  const error: unknown = await ask.then(
    () => null,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof Error);
  assert.ok('status' in error && 'code' in error && 'requestID' in error);
  assert.equal(error.status, 502);
  assert.equal(error.code, 'request_failed');
  assert.ok(typeof error.requestID === 'string');
  return error.requestID;
};
