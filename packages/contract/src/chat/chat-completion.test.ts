import { expect, test } from 'vitest';
import { chatCompletionChunkSchema, chatCompletionSchema } from './chat-completion.ts';

const uuid = '0190a5b2-7c7e-7c3a-9d0e-3a1f5b6c7d8e';
const receipt = { request_id: uuid, project_id: uuid, credits: 1.25 };
const head = { id: `chatcmpl-${uuid}`, created: 1_795_157_340, model: 'flash-2.5' };
const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{}' } };
const completion = {
  ...head,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  service: receipt,
};
const chunkCalling = (toolCall: object): unknown => ({
  ...head,
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta: { role: 'assistant', content: null, tool_calls: [toolCall] }, finish_reason: null }],
});
const schema = chatCompletionSchema('service');
const chunks = chatCompletionChunkSchema('service');

test('takes a completion with every field [chat:response:fields] [chat:response:service]', () => {
  expect(schema.parse(completion)).toEqual(completion);
  for (const field of Object.keys(completion)) {
    const { [field]: _, ...rest } = completion as Record<string, unknown>;
    expect(schema.safeParse(rest).success, field).toBe(false);
  }
});

test('wants an id of chatcmpl- and a uuid [chat:response:id]', () => {
  expect(schema.safeParse({ ...completion, id: uuid }).success).toBe(false);
  expect(schema.safeParse({ ...completion, id: 'chatcmpl-1' }).success).toBe(false);
});

test('takes several tool calls with null content [chat:response:tool-calls-several]', () => {
  const message = { role: 'assistant', content: null, tool_calls: [call, { ...call, id: 'c2' }], context: 'sealed' };
  const choices = [{ index: 0, message, finish_reason: 'tool_calls' }];
  expect(schema.parse({ ...completion, choices })).toMatchObject({ choices });
});

test('reads the receipt under the key of the brand [versioning:brand:response-key]', () => {
  const { service, ...rest } = completion;
  expect(chatCompletionSchema('acme').safeParse({ ...rest, acme: service }).success).toBe(true);
  expect(chatCompletionSchema('acme').safeParse(completion).success).toBe(false);
});

test('takes both events of a stream [stream:chat:first-chunk] [stream:chat:second-chunk]', () => {
  const object = 'chat.completion.chunk';
  const delta = { role: 'assistant', content: 'Hi.' };
  expect(chunks.safeParse({ ...head, object, choices: [{ index: 0, delta, finish_reason: null }] }).success).toBe(true);
  const last = { ...head, object, choices: [{ index: 0, delta: {}, finish_reason: 'stop' }], service: receipt };
  expect(chunks.parse(last)).toEqual(last);
  expect(chunks.safeParse({ ...last, service: { ...receipt, credits: '1' } }).success).toBe(false);
});

test('refuses a streamed tool call without index [stream:chat:tool-call-index]', () => {
  expect(chunks.safeParse(chunkCalling({ index: 0, ...call })).success).toBe(true);
  expect(chunks.safeParse(chunkCalling(call)).success).toBe(false);
});
