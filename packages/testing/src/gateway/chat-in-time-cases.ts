import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Part } from '@tollgate/provider';
import { assertRefused, eventsOf, jsonOf, okJson, requestIdOf, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { blocksOf, dataOf, text } from './generate-stream-reading.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const streaming = { ...greeting, stream: true } as const;
const withUsage = { ...streaming, stream_options: { include_usage: true } } as const;
const compatible = { compatibility: { openai: true } } as const;

const thought = (content: string): Part => ({ kind: 'text', text: content, thought: true });
const call = (id: string, context?: string): Part => ({
  kind: 'function_call',
  id,
  name: 'look',
  arguments: `{"at":"${id}"}`,
  ...(context !== undefined && { context }),
});

/** A chat whose body is still to be read. */
const openChat = (world: GatewayWorld, key = ''): Promise<Response> => {
  const headers: Readonly<Record<string, string>> = key === '' ? {} : { 'idempotency-key': key };
  return world.open({ path: '/chat/completions', body: streaming, headers });
};

/** Chunks of a stream that ended with `[DONE]`. */
const chunksIn = (stream: string): readonly Json[] => {
  const blocks = [...blocksOf(stream)];
  assert.equal(blocks.pop(), 'data: [DONE]');
  return blocks.map(dataOf);
};

const deltasOf = (chunks: readonly Json[]): readonly unknown[] =>
  chunks.map((chunk) => chunk.at('choices', 0, 'delta').value);

const contentIn = (chunks: readonly Json[]): string =>
  chunks
    .map((chunk) => chunk.at('choices', 0, 'delta', 'content').value)
    .filter((content) => typeof content === 'string')
    .join('');

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
      const pieces = [thought('Hm'), thought('.'), text('I look.'), call('a'), call('b', 'state')];
      world.provider.script({ kind: 'answer', pieces });
      const tools = [{ type: 'function', function: { name: 'look' } }];
      const answer = await world.chat({ ...streaming, tools });
      const chunks = chunksIn(answer.text);
      const called = (id: string, index: number) => ({
        tool_calls: [{ index, id, type: 'function', function: { name: 'look', arguments: `{"at":"${id}"}` } }],
      });
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

const replayCases: readonly GatewayCase[] = [
  gatewayCase(
    'replays a chat by the chunks that it was sent in, byte for byte',
    async (world) => {
      const [high = '', low = ''] = '😀'.split('');
      const sequences: readonly (readonly Part[])[] = [
        [text('One '), text('and '), text('two.')],
        [thought('Hm'), thought(', '), text(''), text('so'), thought(' then'), text(' be it')],
        [call('a'), text('after'), call('b')],
        [text(high), text(low), text('\u2028')],
        [thought('only thought')],
      ];
      for (const [at, pieces] of sequences.entries()) {
        world.provider.script({ kind: 'answer', pieces });
        const headers = { 'idempotency-key': `chunks-${at}` };
        const first = await world.chat(withUsage, { headers });
        const again = await world.chat(withUsage, { headers });
        assert.equal(again.headers.get('idempotency-replayed'), 'true');
        assert.equal(again.text, first.text, `sequence ${at}`);
      }
      assert.equal(world.provider.calls.length, sequences.length);
    },
    compatible,
  ),
  gatewayCase(
    'replays what was filtered midway without its content',
    async (world) => {
      const generation = { finish: 'content_filter', text: 'Half' } as const;
      world.provider.script({ kind: 'answer', pieces: [text('Half')], generation });
      const headers = { 'idempotency-key': 'filtered' };
      const first = chunksIn((await world.chat(streaming, { headers })).text);
      assert.equal(contentIn(first), 'Half');
      assert.equal(first.at(-1)?.at('choices', 0, 'finish_reason').value, 'content_filter');
      const again = chunksIn((await world.chat(streaming, { headers })).text);
      assert.equal(contentIn(again), '');
      assert.equal(again.at(-1)?.at('choices', 0, 'finish_reason').value, 'content_filter');
    },
    compatible,
  ),
  gatewayCase(
    'finishes a chat for a client that leaves, and replays it whole',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const next = { kind: 'answer', pieces: [text('over.')] } as const;
      world.provider.script({ kind: 'wait', pieces: [text('Left ')], until, next });
      const response = await openChat(world, 'left');
      await response.body?.cancel();
      resolve();
      const id = response.headers.get('x-request-id') ?? '';
      while ((await world.record(id)).at('status').value !== 'completed') await nextTurn();
      assert.equal((await world.record(id)).at('charged_credits').value, 0.02);
      const replay = await world.chat(streaming, { headers: { 'idempotency-key': 'left' } });
      assert.equal(contentIn(chunksIn(replay.text)), 'Left over.');
      assert.equal(world.provider.calls.length, 1);
    },
    compatible,
  ),
];

const failureCases: readonly GatewayCase[] = [
  gatewayCase(
    'fails as JSON before the first chunk',
    async (world) => {
      world.provider.script({ kind: 'not_executed', reason: 'failed' }, { kind: 'unknown' });
      for (const status of ['failed', 'uncertain']) {
        const id = assertRefused(await world.chat(streaming), 502, 'request_failed')
          .at('request_id')
          .text();
        assert.equal((await world.record(id)).at('status').value, status);
      }
    },
    compatible,
  ),
  gatewayCase(
    'ends a chat that fails after its first chunk with an error in the data, and keeps its hold',
    async (world) => {
      const pieces = [text('Half')];
      world.provider.script({ kind: 'not_executed', reason: 'unavailable', pieces }, { kind: 'unknown', pieces });
      for (let turn = 0; turn < 2; turn += 1) {
        const answer = await world.chat(streaming);
        assert.equal(answer.status, 200);
        const events = eventsOf(answer);
        assert.equal(events.length, 3, answer.text);
        const told = jsonOf(JSON.parse(events[2] ?? '')).at('error');
        assert.equal(told.at('code').value, 'request_failed');
        assert.equal(told.at('request_id').value, requestIdOf(answer));
        assert.ok(!/finish_reason":"|\[DONE\]/.test(answer.text), answer.text);
        assert.equal((await world.record(requestIdOf(answer))).at('status').value, 'uncertain');
      }
    },
    compatible,
  ),
  gatewayCase(
    'ends a chat that could not be debited with an error, and completes it later',
    async (world) => {
      const usage = [{ unit: 'output_text_tokens', quantity: 10_000_000, confirmed: true }] as const;
      world.provider.script({ kind: 'answer', pieces: [text('Much')], generation: { usage } });
      const headers = { 'idempotency-key': 'much' };
      const answer = await world.chat(streaming, { headers });
      assert.ok(answer.text.includes('"code":"settlement_pending"'), answer.text);
      assert.ok(!/finish_reason":"|\[DONE\]/.test(answer.text), answer.text);
      await world.wallet.deposit(world.accountId, 100_000_000_000n);
      world.time.advance(120_000);
      await world.runJobs();
      assert.equal(contentIn(chunksIn((await world.chat(streaming, { headers })).text)), 'Much');
    },
    compatible,
  ),
];

/** Chats that are sent while the model writes them. */
export const chatInTimeCases: readonly GatewayCase[] = [...orderCases, ...replayCases, ...failureCases];
