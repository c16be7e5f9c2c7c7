import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, requestIdOf, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { generate, helloBody } from './generate-ask.ts';
import { suiteModel } from './suite-tariff.ts';

const refusing = (field: 'temperature' | 'topK' | 'safety') =>
  ({ kind: 'not_executed', reason: 'invalid_request', field }) as const;

const assertNames = (answer: Answer, param: string): void => {
  const error = assertRefused(answer, 422, 'unsupported_parameter');
  assert.equal(error.at('param').value, param);
  assert.equal(error.at('message').value, `The model does not accept the field ${param} as it was sent.`);
  assert.equal(error.at('request_id').value, requestIdOf(answer));
};

/** The error for a field that the provider of the model refused. */
export const refusedFieldCases: readonly GatewayCase[] = [
  gatewayCase('names the field that the provider refused as its client calls it', async (world) => {
    world.provider.script(refusing('temperature'));
    assertNames(await world.chat({ ...greeting, temperature: 0.1 }), 'temperature');
    world.provider.script(refusing('temperature'));
    assertNames(await generate(world, helloBody), 'generationConfig.temperature');
    world.provider.script(refusing('topK'));
    assertNames(await generate(world, helloBody), 'generationConfig.topK');
  }),
  gatewayCase('tells a client in words of its own why the upstream refused the request', async (world) => {
    const unreadable = { kind: 'not_executed', reason: 'invalid_request', detail: 'image_unreadable' } as const;
    world.provider.script(unreadable, { ...unreadable, field: 'temperature' });
    const error = assertRefused(await world.chat(), 422, 'unsupported_parameter');
    assert.equal(error.at('message').value, 'The model does not accept the request: an image in it cannot be read.');
    assert.equal(error.at('param').value, undefined);
    const named = assertRefused(await world.chat({ ...greeting, temperature: 0.1 }), 422, 'unsupported_parameter');
    assert.equal(
      named.at('message').value,
      'The model does not accept the field temperature: an image in it cannot be read.',
    );
    assert.equal(named.at('param').value, 'temperature');
  }),
  gatewayCase('refuses what the provider cannot express as it refuses a setting, with the field', async (world) => {
    const unsupported = { kind: 'not_executed', reason: 'unsupported', sent: false, field: 'temperature' } as const;
    world.provider.script(unsupported, { kind: 'not_executed', reason: 'unsupported', sent: false });
    const answer = await world.chat({ ...greeting, temperature: 0.1 });
    assertNames(answer, 'temperature');
    assert.deepEqual([answer.headers.get('retry-after'), answer.headers.get('x-should-retry')], [null, null]);
    const record = await world.record(requestIdOf(answer));
    assert.deepEqual(
      ['status', 'error_code', 'charged_credits', 'reserved_credits'].map((name) => record.at(name).value),
      ['failed', 'unsupported_parameter', 0, 0],
    );
    assertRefused(await world.chat(), 422, 'unsupported_parameter');
  }),
  gatewayCase(
    'refuses with 400 to clients of Messages what the provider cannot express',
    async (world) => {
      world.provider.script({ kind: 'not_executed', reason: 'unsupported', sent: false, field: 'topK' });
      const answer = await world.send({
        path: '/messages',
        headers: { 'anthropic-version': '2023-06-01' },
        body: { model: suiteModel, max_tokens: 50, top_k: 3, messages: [{ role: 'user', content: 'Hello' }] },
      });
      assert.equal(answer.status, 400, answer.text);
      const error = jsonOf(JSON.parse(answer.text)).at('error');
      assert.equal(error.at('type').value, 'invalid_request_error');
      assert.match(error.at('message').text(), /top_k/);
    },
    { compatibility: { anthropic: true } },
  ),
  gatewayCase('names no field where the provider named none, or the route has none for it', async (world) => {
    for (const step of [refusing('safety'), { kind: 'not_executed', reason: 'invalid_request' } as const]) {
      world.provider.script(step);
      const error = assertRefused(await world.chat(), 422, 'unsupported_parameter');
      assert.equal(error.at('param').value, undefined);
    }
    world.provider.script({ kind: 'not_executed', reason: 'rate_limited', field: 'temperature' });
    const error = assertRefused(await world.chat(), 503, 'service_unavailable');
    assert.equal(error.at('param').value, undefined);
    okJson(await world.chat());
  }),
  gatewayCase(
    'names the field to Google clients in the violations of their own form',
    async (world) => {
      world.provider.script(refusing('topK'));
      const answer = await world.send({
        key: null,
        path: `/v1beta/models/${suiteModel}:generateContent`,
        headers: { 'x-goog-api-key': world.key },
        body: helloBody,
      });
      const error = jsonOf(JSON.parse(answer.text)).at('error');
      assert.equal(error.at('code').value, 422);
      assert.deepEqual(error.at('details', 1).value, {
        fieldViolations: [
          {
            field: 'generationConfig.topK',
            description: 'The model does not accept the field generationConfig.topK as it was sent.',
          },
        ],
      });
    },
    { compatibility: { google: true } },
  ),
];
