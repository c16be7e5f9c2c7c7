import assert from 'node:assert/strict';
import OpenAI from 'openai';

/** Calls a gateway with the client of OpenAI: a chat, the same again by its key, and a stream that is read to its end. */
export const callHost = async (origin: string, apiKey: string): Promise<void> => {
  const client = new OpenAI({ baseURL: `${origin}/api/v1/ai`, apiKey, maxRetries: 0 });
  const ask = { model: 'service-auto', messages: [{ role: 'user', content: '[[sandbox: echo hello]]' }] } as const;
  const body = { ...ask, messages: [...ask.messages] };
  const options = { headers: { 'Idempotency-Key': crypto.randomUUID() } };
  const first = await client.chat.completions.create(body, options);
  assert.equal(first.choices[0]?.message.content, 'hello');
  assert.equal((await client.chat.completions.create(body, options)).id, first.id);
  let text = '';
  for await (const { choices } of await client.chat.completions.create({ ...body, stream: true }))
    text += choices[0]?.delta.content ?? '';
  assert.equal(text, 'hello');
  const refused = new OpenAI({ baseURL: `${origin}/api/v1/ai`, apiKey: 'none', maxRetries: 0 });
  await assert.rejects(refused.chat.completions.create(body), { status: 401 });
};
