import assert from 'node:assert/strict';
import { chatCompletionChunkSchema } from '@tollgate/contract';
import { eventsOf, jsonOf, requestIdOf, type Answer, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const streaming = { ...greeting, stream: true } as const;

const chunksOf = (answer: Answer): readonly [Json, Json] => {
  assert.equal(answer.status, 200, answer.text);
  const [first, second, done, ...more] = eventsOf(answer);
  assert.deepEqual([done, more], ['[DONE]', []]);
  const chunks = [jsonOf(JSON.parse(first ?? '')), jsonOf(JSON.parse(second ?? ''))] as const;
  for (const chunk of chunks) assert.ok(chatCompletionChunkSchema('service').safeParse(chunk.value).success);
  return chunks;
};

const streamOf = async (world: GatewayWorld, body: unknown = streaming): Promise<readonly [Json, Json]> =>
  chunksOf(await world.chat(body));

/** The stream of chat. */
export const streamCases: readonly GatewayCase[] = [
  gatewayCase('streams two chunks of one id and the end [stream:chat:three-events]', async (world) => {
    const answer = await world.chat(streaming);
    assert.equal(eventsOf(answer).length, 3);
    assert.ok(answer.text.endsWith('\n\ndata: [DONE]\n\n'));
    const [first, second] = chunksOf(answer);
    assert.equal(first.at('id').value, `chatcmpl-${requestIdOf(answer)}`);
    assert.equal(second.at('id').value, first.at('id').value);
  }),
  gatewayCase('puts the whole text in the first chunk [stream:chat:first-chunk]', async (world) => {
    world.provider.script({ kind: 'answer', generation: { text: 'Good\nday.\r\n\r\ndata: x' } });
    const [first] = await streamOf(world);
    assert.deepEqual(first.value, {
      id: first.at('id').value,
      object: 'chat.completion.chunk',
      created: Math.floor(world.time.now() / 1_000),
      model: suiteModel,
      choices: [{ index: 0, delta: { role: 'assistant', content: 'Good\nday.\r\n\r\ndata: x' }, finish_reason: null }],
    });
  }),
  gatewayCase('puts reason and credits in the second chunk [stream:chat:second-chunk]', async (world) => {
    for (const stream_options of [undefined, { include_usage: false }, { include_usage: true }]) {
      world.provider.script({ kind: 'answer', generation: { finish: 'length' } });
      const answer = await world.chat({ ...streaming, stream_options });
      const [, second] = chunksOf(answer);
      assert.deepEqual(second.at('choices').value, [{ index: 0, delta: {}, finish_reason: 'length' }]);
      assert.deepEqual(second.at('service').value, {
        request_id: requestIdOf(answer),
        project_id: world.projectId,
        credits: 0.02,
      });
    }
  }),
  gatewayCase('numbers the calls of a stream [stream:chat:tool-call-index]', async (world) => {
    world.provider.script({
      kind: 'answer',
      generation: {
        text: '',
        functionCalls: ['a', 'b'].map((id) => ({ kind: 'function_call', id, name: 'look', arguments: '{}' })),
      },
    });
    const [first] = await streamOf(world, {
      ...streaming,
      tools: [{ type: 'function', function: { name: 'look' } }],
    });
    assert.deepEqual(
      first
        .at('choices', 0, 'delta', 'tool_calls')
        .list()
        .map((call) => [call.at('index').value, call.at('id').value]),
      [
        [0, 'a'],
        [1, 'b'],
      ],
    );
  }),
  gatewayCase('tells usage on the second chunk when asked to [stream:chat:usage]', async (world) => {
    const [first, second] = await streamOf(world, { ...streaming, stream_options: { include_usage: true } });
    assert.equal(first.at('usage').value, undefined);
    assert.deepEqual(second.at('usage').value, { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 });
    for (const body of [streaming, { ...streaming, stream_options: { include_usage: false } }])
      for (const chunk of await streamOf(world, body)) assert.equal(chunk.at('usage').value, undefined);
  }),
  gatewayCase('sends nothing before generation and debit are done [stream:chat:after-completion]', async (world) => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    let answered = false;
    const asked = world.chat(streaming).then((answer) => {
      answered = true;
      return answer;
    });
    await world.provider.received(1);
    const [operation] = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
    assert.equal(operation?.state, 'processing');
    assert.equal(answered, false);
    resolve();
    const answer = await asked;
    assert.equal((await world.record(requestIdOf(answer))).at('charged_credits').value, 0.02);
    assert.equal(chunksOf(answer)[1].at('service', 'credits').value, 0.02);
  }),
  gatewayCase('streams as text/event-stream with the headers of a unary answer', async (world) => {
    const headers = { 'idempotency-key': 'streamed' };
    for (const replayed of ['false', 'true']) {
      const answer = await world.chat(streaming, { headers });
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('idempotency-replayed'), replayed);
      assert.equal(requestIdOf(answer), chunksOf(answer)[1].at('service', 'request_id').value);
    }
  }),
  gatewayCase('ends every event with a blank line [stream:sse:blank-line]', async (world) => {
    world.provider.script({ kind: 'answer', generation: { text: 'one\n\ntwo\r\rthree' } });
    const { text } = await world.chat(streaming);
    const blocks = text.split('\n\n');
    assert.equal(blocks.length, 4);
    assert.equal(blocks.at(-1), '');
    for (const block of blocks.slice(0, -1)) assert.match(block, /^data: [^\n\r]*$/);
  }),
];
