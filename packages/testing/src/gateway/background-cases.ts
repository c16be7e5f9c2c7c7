import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, type Answer } from './answer.ts';
import { assertCharged, balanceOf, eventsIn, getResponse, itemsOf, typesOf, valuesOf } from './carried-ask.ts';
import { ask, responsesWire as wire } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { whileWorking } from './google-ask.ts';
import { lastJob, withJobs } from './interaction-ask.ts';
import { workThrough } from './video-ask.ts';

const { settings } = wire;

const inBackground = { background: true };

const begin = async (world: GatewayWorld, more: object = {}, headers = {}): Promise<string> => {
  const body = wire.saying('Hello', { ...inBackground, ...more });
  const begun = okJson(await ask(world, wire, body, { headers }));
  assert.equal(begun.at('background').value, true);
  return begun.at('id').text();
};

const cancel = (world: GatewayWorld, id: string): Promise<Answer> =>
  world.send({ method: 'POST', path: `/responses/${id}/cancel` });

/** Responses in the background: interactions, as this wire reads them. */
export const backgroundCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: begins one in the background, which is asked for by its id and charged once',
    async (world) => {
      const before = await balanceOf(world);
      const headers = { 'idempotency-key': 'later' };
      const id = await begin(world, { instructions: 'Be brief.', metadata: { a: 'b' } }, headers);
      const queued = await getResponse(world, id);
      assert.deepEqual([queued.at('status').value, itemsOf(queued).length], ['queued', 0]);
      await workThrough(world);
      const ended = await getResponse(world, id);
      assert.equal(ended.at('status').value, 'completed');
      assert.equal(wire.textOf(ended), 'Scripted answer.');
      assert.deepEqual(ended.at('metadata').value, { a: 'b' });
      assert.ok(ended.at('usage', 'output_tokens').number() > 0, 'no usage');
      assert.ok(ended.at('service', 'credits').number() > 0, 'no credits');
      assert.equal(world.provider.calls.at(-1)?.call.systemInstruction, 'Be brief.');
      assert.equal(await begin(world, { instructions: 'Be brief.', metadata: { a: 'b' } }, headers), id);
      const items = okJson(await world.send({ path: `/responses/${id}/input_items` }));
      assert.equal(items.at('data', 0, 'content', 0, 'text').value, 'Hello');
      await assertCharged(world, before, id);
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'responses: goes on from a response in the background, and in the background from any',
    async (world) => {
      const first = await begin(world);
      const body = { input: 'And?', previous_response_id: first };
      assertRefused(await ask(world, wire, body), 409, 'request_in_progress');
      await workThrough(world);
      const second = okJson(await ask(world, wire, body))
        .at('id')
        .text();
      await begin(world, { previous_response_id: second });
      await workThrough(world);
      const contents = jsonOf(world.provider.calls.at(-1)?.call.contents).list();
      assert.deepEqual(
        contents.map((content) => content.at('role').value),
        ['user', 'model', 'user', 'model', 'user'],
      );
      const projectId = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId, model: null });
      assertRefused(await ask(world, wire, body, { key }), 404, 'not_found');
      assertRefused(await world.send({ path: `/responses/${first}`, key }), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'responses: begins one in the background that its provider runs as a job, with the structure that it asks for',
    async (world) => {
      const schema = { type: 'object', properties: { at: { type: 'string' } } };
      Object.assign(world.provider, { takesInteraction: () => true });
      world.provider.scriptPolls({
        kind: 'answer',
        interacted: { steps: [{ kind: 'model_output', content: [{ kind: 'text', text: '{"at":"x"}' }] }] },
      });
      const format = { type: 'json_schema', name: 'place', schema };
      const id = await begin(world, { tools: [{ type: 'web_search' }], text: { format } });
      await workThrough(world);
      assert.equal(wire.textOf(await getResponse(world, id)), '{"at":"x"}');
      assert.deepEqual(lastJob(world).format, { kind: 'json', schema });
    },
    { ...settings, ...withJobs },
  ),
  gatewayCase(
    'responses: cancels one in the background without a charge before it began, and no other one',
    async (world) => {
      const before = await balanceOf(world);
      const id = await begin(world);
      okJson(await cancel(world, id));
      await workThrough(world);
      assert.equal((await getResponse(world, id)).at('status').value, 'cancelled');
      const { text } = await world.send({ path: `/responses/${id}?stream=true` });
      const last = eventsIn(text).at(-1);
      assert.deepEqual([last?.type, last?.data.at('response', 'status').value], ['response.failed', 'cancelled']);
      assert.equal(await balanceOf(world), before);
      assert.equal(world.provider.calls.length, 0);
      const ended = await begin(world);
      await workThrough(world);
      assert.equal(okJson(await cancel(world, ended)).at('status').value, 'completed');
      const whole = okJson(await ask(world, wire, wire.saying('Hello')))
        .at('id')
        .text();
      assertRefused(await cancel(world, whole), 422, 'invalid_request');
      assertRefused(await cancel(world, 'resp_unknown'), 404, 'not_found');
    },
    settings,
  ),
  gatewayCase(
    'responses: deletes one in the background once it has ended',
    async (world) => {
      const headers = { 'idempotency-key': 'deleted' };
      const id = await begin(world, {}, headers);
      const removing = { method: 'DELETE', path: `/responses/${id}` };
      assertRefused(await world.send(removing), 409, 'request_in_progress');
      await workThrough(world);
      const goesOn = { ...inBackground, previous_response_id: id };
      const next = await begin(world, goesOn, { 'idempotency-key': 'next' });
      await workThrough(world);
      assert.deepEqual(okJson(await world.send(removing)).value, { id, object: 'response', deleted: true });
      assertRefused(await world.send({ path: `/responses/${id}` }), 404, 'not_found');
      assertRefused(await ask(world, wire, wire.saying('And?', { previous_response_id: id })), 404, 'not_found');
      const repeated = await ask(world, wire, wire.saying('Hello', inBackground), { headers });
      assertRefused(repeated, 409, 'result_expired');
      assert.equal(await begin(world, goesOn, { 'idempotency-key': 'next' }), next);
      assert.equal(world.provider.calls.length, 2);
    },
    settings,
  ),
  gatewayCase(
    'responses: streams one in the background, and its events again behind any of them',
    async (world) => {
      const streaming = wire.saying('Hello', { ...inBackground, stream: true });
      const live = await whileWorking(world, ask(world, wire, streaming));
      const events = eventsIn(live.text);
      assert.deepEqual(
        events.map(({ data }) => data.at('sequence_number').value),
        [...events.keys()],
      );
      assert.equal(wire.streamedText(events), 'Scripted answer.');
      const id = events[0]?.data.at('response', 'id').text() ?? '';
      const path = `/responses/${id}?stream=true`;
      const again = (await world.send({ path })).text;
      assert.deepEqual(valuesOf(eventsIn(again)), valuesOf(events));
      for (const after of [0, 3, events.length - 1]) {
        const rest = (await world.send({ path: `${path}&starting_after=${after}` })).text;
        assert.deepEqual(rest === '' ? [] : valuesOf(eventsIn(rest)), valuesOf(events.slice(after + 1)));
      }
      assertRefused(await world.send({ path: `${path}&starting_after=x` }), 422, 'invalid_request');
      const direct = okJson(await ask(world, wire, wire.saying('Hello')))
        .at('id')
        .text();
      assertRefused(await world.send({ path: `/responses/${direct}?stream=true` }), 422, 'invalid_request');
    },
    settings,
  ),
  gatewayCase(
    'responses: carries one in the background on after a restart, and charges it once',
    async (world) => {
      const before = await balanceOf(world);
      const id = await begin(world);
      await world.reopen();
      await workThrough(world);
      assert.deepEqual(typesOf(itemsOf(await getResponse(world, id))), ['message']);
      await world.reopen();
      await workThrough(world);
      await assertCharged(world, before, id);
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'responses: says of one in the background that it failed, and charges nothing',
    async (world) => {
      const before = await balanceOf(world);
      world.provider.script({ kind: 'not_executed', reason: 'invalid_request' });
      const id = await begin(world);
      await workThrough(world);
      const failed = await getResponse(world, id);
      assert.deepEqual([failed.at('status').value, failed.at('error', 'code').value], ['failed', 'server_error']);
      const { text } = await world.send({ path: `/responses/${id}?stream=true` });
      assert.equal(eventsIn(text).at(-1)?.type, 'response.failed');
      assert.equal(await balanceOf(world), before);
    },
    settings,
  ),
];
