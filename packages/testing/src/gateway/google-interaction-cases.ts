import assert from 'node:assert/strict';
import { assertCharged, balanceOf, valuesOf } from './carried-ask.ts';
import { okJson, jsonOf, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { blocksOf, text as saying, thought } from './generate-stream-reading.ts';
import { askGoogle as ask, assertTold, google, whileWorking } from './google-ask.ts';
import { functionCall, scriptCalls } from './interaction-ask.ts';
import { telling } from './telling-tool.ts';
import { workThrough } from './video-ask.ts';

/** The events of a stream, without those that only show that it lives. */
const eventsIn = (stream: string): readonly { readonly type: string; readonly data: Json }[] =>
  blocksOf(stream)
    .map((block) => {
      const [, name = '', data = ''] = /^event: ([^\n]+)\ndata: ([^\n]+)$/.exec(block) ?? assert.fail(block);
      const parsed = jsonOf(JSON.parse(data));
      assert.equal(parsed.at('event_type').value, name);
      return { type: name, data: parsed };
    })
    .filter(({ type }) => type !== 'interaction.status_update');

const streamed = async (world: GatewayWorld, body: object, key = '') => {
  const headers: Readonly<Record<string, string>> = key === '' ? {} : { 'idempotency-key': key };
  const { text } = await whileWorking(world, ask(world, '/interactions', { body, headers }));
  return eventsIn(text);
};

const begin = async (world: GatewayWorld): Promise<string> =>
  okJson(await world.send({ path: '/interactions', body: { input: 'Hello' } }))
    .at('id')
    .text();

const weather = { type: 'function', name: 'get_weather', description: 'Weather', parameters: { type: 'object' } };

/** Interactions as events, as Google's clients read them. */
export const googleInteractionCases: readonly GatewayCase[] = [
  gatewayCase(
    'streams the steps of an interaction as they become known, charges it once, and repeats it behind any event',
    async (world) => {
      const before = await balanceOf(world);
      scriptCalls(world, functionCall('web_search', { query: 'q' }));
      const body = { input: 'Hello', tools: [{ type: 'web_search' }], stream: true };
      const events = await streamed(world, body, 'events');
      assert.deepEqual(
        events.map(({ type, data }) => [type, data.at('step', 'type').value ?? data.at('delta', 'type').value ?? '']),
        [
          ['interaction.created', ''],
          ['step.start', 'web_search_call'],
          ['step.stop', ''],
          ['step.start', 'web_search_result'],
          ['step.stop', ''],
          ['step.start', 'model_output'],
          ['step.delta', 'text'],
          ['step.stop', ''],
          ['interaction.completed', ''],
        ],
      );
      assert.deepEqual(
        events.map(({ data }) => data.at('event_id').value),
        Array.from(events.keys(), String),
      );
      assert.deepEqual(valuesOf(await streamed(world, body, 'events')), valuesOf(events));
      const last = events.at(-1)?.data.at('interaction');
      assert.ok((last?.at('service', 'credits').number() ?? 0) > 0, 'no credits');
      const id = last?.at('id').text() ?? '';
      for (const seen of ['0', '4', '8']) {
        const { text } = await ask(world, `/interactions/${id}?stream=true&last_event_id=${seen}`);
        assert.deepEqual(text === '' ? [] : valuesOf(eventsIn(text)), valuesOf(events.slice(Number(seen) + 1)));
      }
      const wrong = await ask(world, `/interactions/${id}?stream=true&last_event_id=x`);
      assertTold(wrong, 422, 'INVALID_ARGUMENT', 'invalid_request');
      await assertCharged(world, before, id);
    },
    { ...google, tools: { web_search: telling('web_search') } },
  ),
  gatewayCase(
    'streams the steps before an interaction has ended, what the model thought among them',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      scriptCalls(world, functionCall('web_search', { query: 'q' }));
      const said = [{ ...thought('Hm'), context: 'state' }, saying('One.')];
      world.provider.script({
        kind: 'wait',
        until,
        next: { kind: 'answer', generation: { text: 'One.', parts: said } },
      });
      const response = await world.open({
        path: '/v1beta/interactions',
        key: null,
        headers: { 'x-goog-api-key': world.key },
        body: { input: 'Hello', tools: [{ type: 'web_search' }], stream: true },
      });
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail();
      const readAll = async (): Promise<string> => {
        let stream = '';
        for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
          const before = stream;
          stream += piece.value;
          if (before.includes('web_search_result') || !stream.includes('web_search_result')) continue;
          world.time.advance(60_000);
          resolve();
        }
        return stream;
      };
      const events = eventsIn(await whileWorking(world, readAll()));
      const deltas = events.flatMap(({ type, data }) => (type === 'step.delta' ? [data.at('delta')] : []));
      assert.deepEqual(
        deltas.map((delta) => delta.at('type').value),
        ['thought_summary', 'thought_signature', 'text'],
      );
      assert.deepEqual(deltas[0]?.at('content').value, { type: 'text', text: 'Hm' });
    },
    { ...google, tools: { web_search: telling('web_search') } },
  ),
  gatewayCase(
    'dates an interaction by its last change: its end, or that its client cancelled it',
    async (world) => {
      const [ended, cancelled] = [await begin(world), await begin(world)];
      world.time.advance(10_000);
      okJson(await world.send({ method: 'POST', path: `/interactions/${cancelled}/cancel` }));
      const changed = new Date(world.time.now()).toISOString();
      await world.runJobs();
      for (const id of [ended, cancelled]) {
        const last = eventsIn((await ask(world, `/interactions/${id}?stream=true`)).text).at(-1);
        assert.equal(last?.data.at('interaction', 'updated').value, changed);
      }
    },
    google,
  ),
  gatewayCase(
    'ends the stream of an interaction with what it waits for, with its failure, or with its end by a client',
    async (world) => {
      scriptCalls(world, functionCall('get_weather', { city: 'Faro' }));
      const waiting = await streamed(world, { input: 'Hello', tools: [weather], stream: true });
      assert.deepEqual(waiting[2]?.data.at('delta', 'arguments').value, '{"city":"Faro"}');
      assert.equal(waiting.at(-1)?.data.at('interaction', 'status').value, 'requires_action');
      world.provider.script({ kind: 'not_executed', reason: 'invalid_request' });
      const failed = await streamed(world, { input: 'Hello', stream: true });
      assert.deepEqual([failed.at(-1)?.type, failed.length], ['error', 2]);
      const id = await begin(world);
      okJson(await world.send({ method: 'POST', path: `/interactions/${id}/cancel` }));
      await workThrough(world);
      const cancelled = eventsIn((await ask(world, `/interactions/${id}?stream=true`)).text);
      assert.equal(cancelled.at(-1)?.data.at('interaction', 'status').value, 'cancelled');
    },
    google,
  ),
  gatewayCase(
    'follows an interaction over a restart',
    async (world) => {
      const path = `/interactions/${await begin(world)}?stream=true`;
      await world.reopen();
      const events = eventsIn((await whileWorking(world, ask(world, path))).text);
      assert.equal(events.at(-1)?.data.at('interaction', 'status').value, 'completed');
      assert.equal(world.provider.calls.length, 1);
    },
    google,
  ),
];
