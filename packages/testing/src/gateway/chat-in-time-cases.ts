import assert from 'node:assert/strict';
import { jsonOf, okJson, requestIdOf } from './answer.ts';
import {
  call,
  chunksIn,
  compatible,
  contentIn,
  deltasOf,
  openChat,
  streaming,
  withUsage,
} from './chat-in-time-reading.ts';
import { chatInTimeEndCases } from './chat-in-time-end-cases.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { text, thought } from './generate-stream-reading.ts';
import { greeting } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const called = (id: string, index: number) => ({
  tool_calls: [{ index, id, type: 'function', function: { name: 'look', arguments: `{"at":"${id}"}` } }],
});

const orderCases: readonly GatewayCase[] = [
  gatewayCase(
    'sends chunks of a chat while the model still writes',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const next = { kind: 'answer', pieces: [text(' day.')] } as const;
      world.provider.script({ kind: 'wait', pieces: [text('Good')], until, next });
      const response = await openChat(world);
      assert.equal(response.headers.get('x-accel-buffering'), 'no');
      assert.ok(response.body !== null);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      let stream = '';
      while (!stream.includes('Good')) stream += (await reader.read()).value ?? assert.fail(stream);
      const [operation] = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
      assert.equal(operation?.state, 'processing');
      resolve();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) stream += piece.value;
      assert.equal(contentIn(chunksIn(stream)), 'Good day.');
    },
    compatible,
  ),
  gatewayCase(
    'writes chunks as OpenAI does: role, content, reason, then usage and credits alone',
    async (world) => {
      world.provider.script({ kind: 'answer', pieces: [text('One '), text('two.')] });
      const answer = await world.chat(withUsage);
      const chunks = chunksIn(answer.text);
      const heads = chunks.map((chunk) => [chunk.at('id').value, chunk.at('created').value, chunk.at('model').value]);
      const head = [`chatcmpl-${requestIdOf(answer)}`, Math.floor(world.time.now() / 1_000), suiteModel];
      assert.deepEqual(
        heads,
        Array.from({ length: 5 }, () => head),
      );
      assert.deepEqual(deltasOf(chunks.slice(0, 4)), [
        { role: 'assistant', content: '' },
        { content: 'One ' },
        { content: 'two.' },
        {},
      ]);
      const reasons = chunks.slice(0, 4).map((chunk) => chunk.at('choices', 0, 'finish_reason').value);
      assert.deepEqual(reasons, [null, null, null, 'stop']);
      const last = chunks[4] ?? jsonOf(null);
      assert.deepEqual(last.at('choices').value, []);
      assert.deepEqual(last.at('usage').value, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
      const receipt = { request_id: requestIdOf(answer), project_id: world.projectId, credits: 0.02 };
      assert.deepEqual(last.at('service').value, receipt);
      const without = chunksIn((await world.chat(streaming)).text);
      assert.equal(without.at(-1)?.at('usage').value, undefined);
      assert.equal(without.at(-1)?.at('service', 'credits').value, 0.02);
    },
    compatible,
  ),
  gatewayCase(
    'sends reasoning and numbered calls, and keeps both on the record',
    async (world) => {
      const pieces = [thought('Hm'), thought('.'), text('I look.'), call('a'), { ...call('b'), context: 'state' }];
      world.provider.script({ kind: 'answer', pieces });
      const tools = [{ type: 'function', function: { name: 'look' } }];
      const answer = await world.chat({ ...streaming, tools });
      const chunks = chunksIn(answer.text);
      assert.deepEqual(deltasOf(chunks.slice(1, 6)), [
        { reasoning_content: 'Hm' },
        { reasoning_content: '.' },
        { content: 'I look.' },
        called('a', 0),
        called('b', 1),
      ]);
      const last = chunks.at(-1) ?? jsonOf(null);
      assert.equal(last.at('choices', 0, 'finish_reason').value, 'tool_calls');
      const message = (await world.record(requestIdOf(answer))).at('response', 'choices', 0, 'message');
      assert.equal(message.at('reasoning_content').value, 'Hm.');
      // The sealed state of the calls comes with the reason, and the message is taken back with it.
      const context = last.at('choices', 0, 'delta', 'context').value;
      assert.equal(typeof context, 'string');
      const back = { role: 'assistant', content: 'I look.', tool_calls: message.at('tool_calls').value, context };
      const results = ['a', 'b'].map((id) => ({ role: 'tool', tool_call_id: id, content: 'seen' }));
      okJson(await world.chat({ ...greeting, messages: [...greeting.messages, back, ...results], tools }));
      const taken = JSON.stringify(world.provider.calls.at(-1)?.call.contents);
      assert.ok(taken.includes('"context":"state"'), taken);
    },
    compatible,
  ),
  gatewayCase(
    'sends in time in the strict mode where the host chose it, without reasoning',
    async (world) => {
      world.provider.script({ kind: 'answer', pieces: [thought('Hm'), text('One '), text('two.')] });
      const chunks = chunksIn((await world.chat(streaming)).text);
      assert.deepEqual(deltasOf(chunks), [
        { role: 'assistant', content: '' },
        { content: 'One ' },
        { content: 'two.' },
        {},
      ]);
    },
    { compatibility: { streamInTime: true } },
  ),
  gatewayCase(
    'sends after settlement in the compatible mode where the host chose that',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: 'One two.' } });
      const chunks = chunksIn((await world.chat(streaming)).text);
      assert.deepEqual(deltasOf(chunks), [{ role: 'assistant', content: 'One two.' }, {}]);
    },
    { compatibility: { openai: true, streamInTime: false } },
  ),
  gatewayCase(
    'sends calls of the older form when the message is complete',
    async (world) => {
      const functionCalls = [{ kind: 'function_call', id: 'a', name: 'look', arguments: '{}' }] as const;
      world.provider.script({ kind: 'answer', generation: { text: 'I look.', functionCalls } });
      const answer = await world.chat({ ...streaming, functions: [{ name: 'look' }] });
      const [delta] = deltasOf(chunksIn(answer.text));
      assert.deepEqual(jsonOf(delta).at('function_call', 'name').value, 'look');
    },
    compatible,
  ),
];

/** Chats that are sent while the model writes them. */
export const chatInTimeCases: readonly GatewayCase[] = [...orderCases, ...chatInTimeEndCases];
