import assert from 'node:assert/strict';
import { chatCompletionSchema, OperationReceipt } from '@tollgate/contract';
import type { Generation } from '@tollgate/provider';
import { scriptedGeneration } from '../fakes/scripted-step.ts';
import { assertRefused, okJson, requestIdOf, uuidPattern } from './answer.ts';
import { ofParts } from './chat-refusal.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { mediaSamples } from './media-samples.ts';
import { plainAnswerMicros, suiteModel, suiteRow } from './suite-tariff.ts';

/** An answer with parts that no generation should have: what a careless provider might leave in. */
const withRawParts: Partial<Generation> = Object.assign(
  { text: 'The sum is 5050.' },
  { executableCode: 'print(sum(range(101)))', codeExecutionResult: 'OUTCOME_OK', thoughts: 'I should add.' },
);

/** The unary answer of chat. */
export const chatAnswerCases: readonly GatewayCase[] = [
  gatewayCase('returns a completion with all its fields [chat:response:fields]', async (world) => {
    world.provider.script({ kind: 'answer', generation: { text: 'Good day.' } });
    const answer = okJson(await world.chat());
    assert.ok(chatCompletionSchema('service').safeParse(answer.value).success);
    const { request_id, project_id } = OperationReceipt.parse(answer.at('service').value);
    assert.deepEqual(answer.value, {
      id: `chatcmpl-${request_id}`,
      object: 'chat.completion',
      created: Math.floor(world.time.now() / 1_000),
      model: suiteModel,
      choices: [{ index: 0, message: { role: 'assistant', content: 'Good day.' }, finish_reason: 'stop' }],
      service: { request_id, project_id, credits: Number(plainAnswerMicros) / 1_000_000 },
    });
  }),
  gatewayCase("gives the operation's id with a prefix [chat:response:id]", async (world) => {
    const id = okJson(await world.chat())
      .at('id')
      .text();
    assert.ok(id.startsWith('chatcmpl-'));
    const record = await world.record(id.slice('chatcmpl-'.length));
    assert.equal(record.at('response', 'id').value, id);
  }),
  gatewayCase('tells request, project and debited credits [chat:response:service]', async (world) => {
    const before = await world.wallet.read(world.accountId);
    const receipt = okJson(await world.chat()).at('service');
    assert.match(receipt.at('request_id').text(), uuidPattern);
    assert.equal(receipt.at('project_id').value, world.projectId);
    const after = await world.wallet.read(world.accountId);
    assert.equal(receipt.at('credits').value, Number(before.balanceMicros - after.balanceMicros) / 1_000_000);
    assert.equal(receipt.at('credits').value, 0.02);
  }),
  gatewayCase("names the public model and never the upstream's [chat:response:public-model]", async (world) => {
    const answer = await world.chat();
    assert.equal(okJson(answer).at('model').value, suiteModel);
    const upstream = world.provider.calls[0]?.call.upstreamModel ?? '';
    assert.ok(upstream !== '' && upstream !== suiteModel);
    assert.ok(!answer.text.includes(upstream));
  }),
  gatewayCase('maps the three ways to end [chat:response:finish-reasons]', async (world) => {
    for (const finish of ['stop', 'length', 'content_filter'] as const) {
      world.provider.script({ kind: 'answer', generation: { finish } });
      assert.equal(okJson(await world.chat()).at('choices', 0, 'finish_reason').value, finish);
    }
  }),
  gatewayCase('answers without text what was filtered [chat:response:content-filter]', async (world) => {
    world.provider.script({ kind: 'answer', generation: { finish: 'content_filter', text: '' } });
    const choice = okJson(await world.chat()).at('choices', 0);
    assert.equal(choice.at('finish_reason').value, 'content_filter');
    assert.ok(choice.at('message', 'content').value === null || choice.at('message', 'content').value === '');
    // A provider that hands out what it had before it was stopped does not make a refused answer one to be used.
    const calls = [{ kind: 'function_call', id: 'a', name: 'look', arguments: '{}', context: 'sealed' }] as const;
    for (const stream of [false, true]) {
      const generation = { finish: 'content_filter', text: 'Half of a', functionCalls: calls } as const;
      world.provider.script({ kind: 'answer', generation });
      const answer = await world.chat({ ...greeting, stream });
      assert.ok(answer.text.includes('"content":null') && answer.text.includes('"content_filter"'), answer.text);
      assert.ok(!/Half|tool_calls|look/.test(answer.text), answer.text);
    }
  }),
  gatewayCase('answers text about images and never an image [chat:images:analysis-only]', async (world) => {
    world.provider.script({ kind: 'answer', generation: { text: 'A white pixel.' } });
    const url = `data:image/png;base64,${mediaSamples.png}`;
    const answer = okJson(await world.chat(ofParts({ type: 'image_url', image_url: { url } })));
    assert.equal(answer.at('choices', 0, 'message', 'content').text(), 'A white pixel.');
    world.provider.script({ kind: 'answer', generation: { text: '', finish: 'content_filter' } });
    const filtered = okJson(await world.chat()).at('choices', 0, 'message');
    assert.equal(filtered.at('content').value, null);
    assert.deepEqual(filtered.keys(), ['role', 'content', 'context']);
  }),
  gatewayCase(
    'takes back what it answered, whatever its model left out of it [chat:message:context-return]',
    async (world) => {
      const broken = [{ kind: 'function_call', id: 'a', name: 'look', arguments: '{"at' }] as const;
      const told: readonly Partial<Generation>[] = [
        { finish: 'content_filter', text: '' },
        { finish: 'stop', text: '' },
        { finish: 'length', text: '' },
        { finish: 'stop', text: '', functionCalls: broken },
      ];
      for (const generation of told) {
        world.provider.script({ kind: 'answer', generation });
        const message = okJson(await world.chat()).at('choices', 0, 'message').value;
        const answered =
          generation.functionCalls === undefined ? [] : [{ role: 'tool', tool_call_id: 'a', content: '' }];
        const messages = [...greeting.messages, message, ...answered, ...greeting.messages];
        okJson(await world.chat({ ...greeting, messages }));
        // Without the proof that it is ours it is what the contract says: a message without text.
        const bare = { role: 'assistant', content: null };
        assertRefused(await world.chat({ ...greeting, messages: [bare, ...greeting.messages] }), 422, 'empty_message');
      }
    },
  ),
  gatewayCase(
    'returns the result of executed code and not the code [chat:tools:code-execution-result-only]',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: withRawParts });
      const answer = await world.chat({ ...greeting, tools: [{ type: 'code_execution' }] });
      const message = okJson(answer).at('choices', 0, 'message');
      assert.deepEqual(message.value, { role: 'assistant', content: 'The sum is 5050.' });
      assert.ok(!/print|OUTCOME|I should add/.test(answer.text));
      // A model that says nothing beside what it ran is not answered with nothing.
      const parts = [
        { kind: 'executable_code', language: 'PYTHON', code: 'print(6 * 7)' },
        { kind: 'code_execution_result', outcome: 'ok', output: '42\n' },
      ] as const;
      world.provider.script({ kind: 'answer', generation: { text: '', parts } });
      const silent = okJson(await world.chat({ ...greeting, tools: [{ type: 'code_execution' }] }));
      assert.deepEqual(silent.at('choices', 0, 'message').value, { role: 'assistant', content: '42\n' });
    },
  ),
  gatewayCase('names the operation in X-Request-Id [chat:response:headers-request-id]', async (world) => {
    const answer = await world.chat();
    assert.equal(requestIdOf(answer), okJson(answer).at('service', 'request_id').value);
  }),
  gatewayCase('forbids to store the answer [chat:response:headers-no-store]', async (world) => {
    for (const body of [greeting, { ...greeting, stream: true }, {}])
      assert.equal((await world.chat(body)).headers.get('cache-control'), 'no-store');
  }),
  gatewayCase('says whether an answer is a replay [chat:response:headers-idempotency-replayed]', async (world) => {
    const headers = { 'idempotency-key': 'once' };
    const replayed = async () => (await world.chat(undefined, { headers })).headers.get('idempotency-replayed');
    assert.deepEqual([await replayed(), await replayed()], ['false', 'true']);
    assert.equal((await world.chat()).headers.get('idempotency-replayed'), 'false');
  }),
  gatewayCase('shows no usage unless the host asks for it [chat:usage:unary-option]', async (world) => {
    assert.equal(okJson(await world.chat()).at('usage').value, undefined);
  }),
  gatewayCase(
    'shows usage where the host asks for it [chat:usage:unary-option]',
    async (world) => {
      world.provider.script({
        kind: 'answer',
        generation: {
          usage: [
            { unit: 'input_text_tokens', quantity: 7, confirmed: true },
            { unit: 'cached_input_tokens', quantity: 3, confirmed: true },
            { unit: 'output_text_tokens', quantity: 4, confirmed: true },
            { unit: 'thought_tokens', quantity: 2, confirmed: true },
            { unit: 'code_execution_runs', quantity: 1, confirmed: true },
          ],
        },
      });
      assert.deepEqual(okJson(await world.chat()).at('usage').value, {
        prompt_tokens: 10,
        completion_tokens: 6,
        total_tokens: 16,
      });
    },
    { exposeUsage: true },
  ),
  gatewayCase(
    'fails as JSON before delivery, stream or not [chat:response:json-error-before-delivery]',
    async (world) => {
      for (const stream of [true, false]) {
        world.provider.script({ kind: 'not_executed', reason: 'failed' });
        const answer = await world.chat({ ...greeting, stream });
        assertRefused(answer, 502, 'request_failed');
        assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      }
      const invalid = await world.chat({ ...greeting, stream: true, temperature: 3 });
      assertRefused(invalid, 422, 'invalid_temperature');
      assert.match(invalid.headers.get('content-type') ?? '', /^application\/json/);
    },
  ),
  gatewayCase('calls an answer partial that is not of the structure asked for', async (world) => {
    const response_format = { type: 'json_object' };
    world.provider.script(
      { kind: 'answer', generation: { text: '{"city":"Lisbon"}' } },
      { kind: 'answer', generation: { text: 'Lisbon' } },
    );
    const finish = async () =>
      okJson(await world.chat({ ...greeting, response_format })).at('choices', 0, 'finish_reason').value;
    assert.deepEqual([await finish(), await finish()], ['stop', 'length']);
  }),
  gatewayCase(
    "takes the automatic model as the key's own [catalog:alias:service-auto] [versioning:brand:auto-model]",
    async (world) => {
      const answer = okJson(await world.chat({ ...greeting, model: 'service-auto' }));
      assert.equal(answer.at('model').value, suiteModel);
      const { key } = await world.createCaller({ projectId: world.projectId, model: null });
      okJson(await world.chat({ ...greeting, model: 'service-auto' }, { key }));
    },
  ),
  gatewayCase(
    'keeps a large answer whole',
    async (world) => {
      const text = 'long answer '.repeat(20_000);
      world.provider.script({ kind: 'answer', generation: { ...scriptedGeneration, text } });
      const answer = await world.chat(undefined, { headers: { 'idempotency-key': 'large' } });
      assert.equal(okJson(answer).at('choices', 0, 'message', 'content').value, text);
      const again = await world.chat(undefined, { headers: { 'idempotency-key': 'large' } });
      assert.equal(again.text, answer.text);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, okJson(answer).value);
    },
    { catalog: [suiteRow({ id: suiteModel })] },
  ),
];
