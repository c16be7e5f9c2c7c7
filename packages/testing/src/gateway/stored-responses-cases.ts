import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson } from './answer.ts';
import { call } from './chat-in-time-reading.ts';
import { ask, responsesWire as wire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { mediaSamples } from './media-samples.ts';

const { settings } = wire;

/** Responses that are stored, and conversations that go on from them. */
export const storedResponsesCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: goes on with a stored conversation, by its last response or by single items',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: '', functionCalls: [call('a')] } });
      const first = okJson(await ask(world, wire, wire.saying('Hello', { tools: [wire.tool] })));
      const result = { type: 'function_call_output', call_id: 'a', output: 'seen' };
      const firstId = first.at('id').text();
      const second = okJson(await ask(world, wire, { input: [result], previous_response_id: firstId }));
      const third = { input: 'And?', previous_response_id: second.at('id').text() };
      okJson(await ask(world, wire, third));
      const contents = jsonOf(world.provider.calls.at(-1)?.call.contents).list();
      assert.deepEqual(
        contents.map((content) => [content.at('role').value, content.at('parts', 0, 'kind').value]),
        [
          ['user', 'text'],
          ['model', 'function_call'],
          ['user', 'function_response'],
          ['model', 'text'],
          ['user', 'text'],
        ],
      );
      const reference = { type: 'item_reference', id: first.at('output', 0, 'id').text() };
      okJson(await ask(world, wire, { input: [{ role: 'user', content: 'Hello' }, reference, result] }));
      assert.equal(jsonOf(world.provider.calls.at(-1)?.call.contents).at(1, 'parts', 0, 'kind').value, 'function_call');
      const projectId = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId, model: null });
      assertRefused(await ask(world, wire, third, { key }), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'responses: takes no more of earlier responses than a body may hold',
    async (world) => {
      const parts = Array.from({ length: 500 }, () => ({ type: 'input_text', text: 'a' }));
      const input = Array.from({ length: 5 }, () => ({ role: 'user', content: parts }));
      let previous: string | undefined;
      for (let turn = 0; turn < 3; turn += 1) {
        const answer = await ask(world, wire, { input, previous_response_id: previous });
        // Each of them holds some 12,500 values and names; two fit into the bound of this gateway, and three do not.
        if (turn === 2) assertRefused(answer, 413, 'body_too_large');
        else previous = okJson(answer).at('id').text();
      }
      assert.equal(world.provider.calls.length, 2);
    },
    { ...settings, bodyNodesMax: 20_000 },
  ),
  gatewayCase(
    'responses: counts an item of a stored response each time that a request names it',
    async (world) => {
      const text = 'a'.repeat(100_000);
      world.provider.script({ kind: 'answer', generation: { text, functionCalls: [] } });
      const first = okJson(await ask(world, wire, wire.saying('Hello')));
      const reference = { type: 'item_reference', id: first.at('output', 0, 'id').text() };
      const naming = (times: number) => ask(world, wire, { input: Array.from({ length: times }, () => reference) });
      okJson(await naming(20));
      // Together they have more than 20 MiB.
      assertRefused(await naming(220), 422, 'input_limit');
      assert.equal(world.provider.calls.length, 2);
    },
    settings,
  ),
  gatewayCase(
    'responses: repeats what was answered under its identity, also when the response before it is deleted',
    async (world) => {
      const first = okJson(await ask(world, wire, wire.saying('Hello')))
        .at('id')
        .text();
      const goingOn = (key: string | null, more: object = {}) => {
        const headers = key === null ? {} : { 'idempotency-key': key };
        return ask(world, wire, { input: 'And?', previous_response_id: first, ...more }, { headers });
      };
      const whole = await goingOn('whole');
      const streamed = await goingOn('streamed', { stream: true });
      okJson(await world.send({ path: `/responses/${first}`, method: 'DELETE' }));
      const again = await goingOn('whole');
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [whole.text, 'true']);
      const streamedAgain = await goingOn('streamed', { stream: true });
      assert.deepEqual(
        [streamedAgain.text, streamedAgain.headers.get('idempotency-replayed')],
        [streamed.text, 'true'],
      );
      assertRefused(await goingOn('whole', { input: 'And then?' }), 409, 'ai_idempotency_conflict');
      for (const key of ['another', null]) assertRefused(await goingOn(key), 404, 'not_found');
      assert.equal(world.provider.calls.length, 3);
    },
    settings,
  ),
  gatewayCase(
    'responses: shows a stored response and its input, and deletes its content but not its record',
    async (world) => {
      const headers = { 'idempotency-key': 'stored' };
      const body = wire.saying('Hello');
      const answer = await ask(world, wire, body, { headers });
      const id = okJson(answer).at('id').text();
      const path = `/responses/${id}`;
      assert.equal((await world.send({ path })).text, answer.text);
      const items = okJson(await world.send({ path: `${path}/input_items` }));
      assert.equal(items.at('data', 0, 'content', 0, 'text').value, 'Hello');
      assert.equal(items.at('has_more').value, false);
      const projectId = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId, model: null });
      for (const method of ['GET', 'DELETE']) assertRefused(await world.send({ path, method, key }), 404, 'not_found');
      assertRefused(await world.send({ path: `${path}/cancel`, method: 'POST' }), 422, 'invalid_request');
      assert.equal(okJson(await world.send({ path, method: 'DELETE' })).at('deleted').value, true);
      assertRefused(await world.send({ path }), 404, 'not_found');
      assertRefused(await world.send({ path, method: 'DELETE' }), 404, 'not_found');
      assertRefused(await ask(world, wire, body, { headers }), 409, 'result_expired');
      const record = await world.record(id.replace('resp_', ''));
      assert.deepEqual([record.at('status').value, record.at('charged_credits').value], ['completed', 0.02]);
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'responses: keeps no input where the client says so, and shows what failed as failed',
    async (world) => {
      const unstored = okJson(await ask(world, wire, wire.saying('Hello', { store: false })));
      assert.equal(unstored.at('store').value, false);
      const id = unstored.at('id').text();
      assertRefused(await world.send({ path: `/responses/${id}/input_items` }), 404, 'not_found');
      assertRefused(await ask(world, wire, wire.saying('And?', { previous_response_id: id })), 404, 'not_found');
      const data = Buffer.from('A line of a document. '.repeat(10_000)).toString('base64');
      const content = [{ type: 'input_file', file_data: data, filename: 'a.txt' }];
      const long = okJson(await ask(world, wire, { input: [{ role: 'user', content }] }));
      // What was taken aside is not kept: the response says so.
      assert.equal(long.at('store').value, false);
      world.provider.script({ kind: 'not_executed', reason: 'failed' }, { kind: 'unknown' });
      for (const status of ['failed', 'in_progress']) {
        const refused = await ask(world, wire, wire.saying('Hello'));
        const shown = okJson(
          await world.send({ path: `/responses/resp_${refused.headers.get('x-request-id') ?? ''}` }),
        );
        assert.equal(shown.at('status').value, status);
      }
    },
    settings,
  ),
  gatewayCase(
    'responses: counts input without a charge, and takes images and files within items',
    async (world) => {
      const counted = await world.send({ path: '/responses/input_tokens', body: wire.saying('Hello') });
      assert.ok(okJson(counted).at('input_tokens').number() > 0);
      const url = `data:image/png;base64,${mediaSamples.png}`;
      const content = [
        { type: 'input_text', text: 'See' },
        { type: 'input_image', image_url: url, detail: 'high' },
        { type: 'input_file', file_data: Buffer.from('Notes').toString('base64'), filename: 'a.txt' },
      ];
      okJson(await ask(world, wire, { input: [{ role: 'user', content }], instructions: 'Be brief.' }));
      const sent = jsonOf(world.provider.calls.at(-1)?.call);
      assert.equal(sent.at('systemInstruction').value, 'Be brief.');
      assert.deepEqual(
        sent
          .at('contents', 0, 'parts')
          .list()
          .map((each) => each.at('mimeType').value),
        [undefined, 'image/png', 'text/plain'],
      );
    },
    settings,
  ),
];
