import assert from 'node:assert/strict';
import { assertTextError, jsonOf, okJson, requestIdOf, type Answer, type Json } from './answer.ts';
import { call } from './chat-in-time-reading.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { text, thought } from './generate-stream-reading.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { mediaSamples } from './media-samples.ts';
import { suiteModel } from './suite-tariff.ts';

const settings = { compatibility: { ollama: true } } as const;
const messages = [{ role: 'user', content: 'Hello' }];
const whole = { messages, stream: false };

const chat = (world: GatewayWorld, body: object, identity = ''): Promise<Answer> =>
  world.send({ path: '/api/chat', body, headers: identity === '' ? {} : { 'idempotency-key': identity } });

const linesOf = (stream: string): readonly Json[] => {
  assert.ok(stream.endsWith('\n') && !stream.includes('\n\n'), 'each line must hold one object');
  return stream
    .slice(0, -1)
    .split('\n')
    .map((line) => jsonOf(JSON.parse(line)));
};

const refusals: readonly (readonly [body: object, field: string])[] = [
  [{ messages: [] }, 'messages'],
  [{ messages: [{ role: 'developer', content: 'x' }] }, 'messages[0].role'],
  [{ messages: [{ role: 'user', content: 'x', images: ['AAAA'] }] }, 'messages[0].images[0]'],
  [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages[0]'],
  [{ nope: 1 }, 'nope is not supported; accepted are messages, tools, model, '],
  [{ options: { repeat_penalty: 1.1 } }, 'options.repeat_penalty'],
  [{ options: { mirostat: 1 } }, 'options.mirostat'],
  [{ options: { temperature: 3 } }, 'options.temperature'],
  [{ options: { wings: 2 } }, 'options.wings'],
  [{ format: 'xml' }, 'format'],
  [{ think: 'hard' }, 'think'],
  [{ tools: [{ type: 'function', function: {} }] }, 'tools[0].function.name'],
  [{ tools: [{ type: 'web_search' }] }, 'tools[0]'],
  [{ template: 'x' }, 'template'],
];

const generating: readonly GatewayCase[] = [
  gatewayCase(
    'ollama: responds whole, with counts and credits, charges once, and its record and replay are the same',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: 'Good day.' } });
      const answer = await chat(world, whole, 'whole');
      const body = okJson(answer);
      assert.deepEqual(body.at('message').value, { role: 'assistant', content: 'Good day.' });
      assert.deepEqual(
        ['model', 'done', 'done_reason', 'prompt_eval_count', 'eval_count'].map((name) => body.at(name).value),
        [suiteModel, true, 'stop', 10, 5],
      );
      assert.equal(body.at('service', 'credits').value, 0.02);
      const again = await chat(world, whole, 'whole');
      assert.deepEqual([again.text, again.headers.get('idempotency-replayed')], [answer.text, 'true']);
      assert.deepEqual((await world.record(requestIdOf(answer))).at('response').value, body.value);
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'ollama: streams a line for each piece unless the body has stream false, and replays them byte for byte',
    async (world) => {
      const code = { kind: 'executable_code', language: 'PYTHON', code: 'print(1)' } as const;
      const pieces = [thought('Hm'), text('One '), code, text('two.'), call('a')];
      world.provider.script({ kind: 'answer', pieces });
      const answer = await chat(world, { messages }, 'stream');
      assert.equal(answer.headers.get('content-type'), 'application/x-ndjson');
      const lines = linesOf(answer.text);
      assert.deepEqual(
        lines.map((line) => line.at('done').value),
        [false, false, false, false, true],
      );
      assert.equal(lines[0]?.at('message', 'thinking').value, 'Hm');
      assert.equal(lines.map((line) => line.at('message', 'content').text()).join(''), 'One two.');
      assert.deepEqual(lines[3]?.at('message', 'tool_calls', 0, 'function', 'name').value, 'look');
      assert.equal(lines[4]?.at('service', 'credits').value, 0.02);
      assert.equal((await chat(world, { messages }, 'stream')).text, answer.text);
      assert.equal(world.provider.calls.length, 1);
    },
    settings,
  ),
  gatewayCase(
    'ollama: sends lines while the model still writes',
    async (world) => {
      const { promise: until, resolve } = Promise.withResolvers<void>();
      const next = { kind: 'answer', pieces: [text(' day.')] } as const;
      world.provider.script({ kind: 'wait', pieces: [text('Good')], until, next });
      const response = await world.open({ path: '/api/chat', body: { messages } });
      const reader = (response.body ?? assert.fail()).pipeThrough(new TextDecoderStream()).getReader();
      let stream = '';
      while (!stream.includes('Good')) stream += (await reader.read()).value ?? assert.fail(stream);
      resolve();
      for (let piece = await reader.read(); !piece.done; piece = await reader.read()) stream += piece.value;
      assert.deepEqual(
        linesOf(stream).map((line) => line.at('message', 'content').value),
        ['Good', ' day.', ''],
      );
    },
    settings,
  ),
  gatewayCase(
    'ollama: gives a model back its calls with their states, and finds the call of a result by name or by order',
    async (world) => {
      const proposed = [
        { ...call('a'), context: 'state-a' },
        { ...call('b'), context: 'state-b' },
      ];
      world.provider.script({
        kind: 'answer',
        generation: { text: '', functionCalls: proposed, parts: proposed },
      });
      const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }];
      const first = okJson(await chat(world, { ...whole, tools }));
      const said = first.at('message').value;
      const results = [
        { role: 'tool', content: 'one', tool_name: 'look' },
        { role: 'tool', content: 'two' },
      ];
      okJson(await chat(world, { ...whole, tools, messages: [...messages, said, ...results] }));
      const [, model, user] = world.provider.calls.at(-1)?.call.contents ?? [];
      assert.deepEqual(
        model?.parts.map((part) => ('context' in part ? part.context : undefined)),
        ['state-a', 'state-b'],
      );
      assert.deepEqual(user?.parts, [
        { kind: 'function_response', id: 'a', name: 'look', response: 'one' },
        { kind: 'function_response', id: 'b', name: 'look', response: 'two' },
      ]);
    },
    settings,
  ),
  gatewayCase(
    'ollama: generates from one prompt, with an instruction and images',
    async (world) => {
      world.provider.script({ kind: 'answer', generation: { text: 'A dot.' } });
      const options = { num_predict: 7 };
      const body = { prompt: 'What?', system: 'Be brief.', images: [mediaSamples.png], options, stream: false };
      assert.equal(okJson(await world.send({ path: '/api/generate', body })).at('response').value, 'A dot.');
      const sent = world.provider.calls.at(-1)?.call ?? assert.fail();
      assert.deepEqual([sent.systemInstruction, sent.outputTokensMax], ['Be brief.', 7]);
      assert.deepEqual(sent.contents, [
        {
          role: 'user',
          parts: [
            { kind: 'text', text: 'What?' },
            { kind: 'media', mimeType: 'image/png', data: mediaSamples.png },
          ],
        },
      ]);
    },
    settings,
  ),
];

const failing: readonly GatewayCase[] = [
  gatewayCase(
    'ollama: refuses what it does not take, and names the field',
    async (world) => {
      for (const [body, field] of refusals) {
        const answer = await chat(world, { ...whole, ...body });
        assertTextError(answer, 422);
        assert.ok(answer.text.includes(`The field ${field}`), answer.text);
      }
      assertTextError(await world.send({ path: '/api/chat', body: whole, key: null }), 401);
      assertTextError(await world.send({ path: '/api/pull', body: { model: 'other' } }), 422);
      assertTextError(await world.send({ path: '/api/tags', body: {} }), 404);
      assert.equal(world.provider.calls.length, 0);
    },
    settings,
  ),
  gatewayCase(
    'ollama: keeps the hold of an answer whose outcome is unknown, and ends its stream with an error',
    async (world) => {
      world.provider.script({ kind: 'unknown' }, { kind: 'unknown', pieces: [text('Half')] });
      const before = await chat(world, { messages }, 'before');
      assertTextError(before, 502);
      const after = await chat(world, { messages }, 'after');
      const last = linesOf(after.text).at(-1) ?? assert.fail();
      assert.ok(last.at('error').text().length > 0);
      assert.ok(!after.text.includes('"done":true'));
      for (const answer of [before, after]) {
        const record = await world.record(requestIdOf(answer));
        assert.equal(record.at('status').value, 'uncertain');
        assert.ok(record.at('reserved_credits').number() > 0);
      }
      assertTextError(await chat(world, { messages }, 'before'), 409);
    },
    settings,
  ),
  gatewayCase('ollama: has no paths without its option', async (world) => {
    for (const path of ['/api/chat', '/api/generate', '/api/embed'])
      assert.equal((await world.open({ path, body: {} })).status, 404);
    for (const path of ['/api/tags', '/api/version']) assert.equal((await world.open({ path })).status, 404);
  }),
];

const embedding: readonly GatewayCase[] = [
  gatewayCase(
    'ollama: embeds texts, charges once, and replays the vectors',
    async (world) => {
      const { key } = await world.createCaller({ projectId: world.projectId, model: 'embedding-001' });
      const headers = { 'idempotency-key': 'vectors' };
      const ask = { path: '/api/embed', key, headers, body: { input: ['a', 'b'], truncate: true } };
      const answer = await world.send(ask);
      const body = okJson(answer);
      assert.equal(body.at('embeddings').list().length, 2);
      assert.equal(body.at('prompt_eval_count').value, 6);
      assert.ok(body.at('service', 'credits').number() > 0);
      assert.equal((await world.send(ask)).text, answer.text);
      assertTextError(await world.send({ ...ask, headers: {}, body: { prompt: 'a' } }), 422);
      const older = { path: '/api/embeddings', key, body: { prompt: 'a' } };
      assert.equal(
        okJson(await world.send(older))
          .at('embedding')
          .list().length,
        2,
      );
      assert.equal(world.provider.embedCalls.length, 2);
    },
    settings,
  ),
  gatewayCase(
    'ollama: lists the models and shows one',
    async (world) => {
      const { key } = await world.createCaller({ projectId: world.projectId, model: null });
      const models = okJson(await world.send({ path: '/api/tags', key }))
        .at('models')
        .list();
      assert.ok(models.some((model) => model.at('name').value === suiteModel));
      const own = await world.admin.createKey({ projectId: world.projectId, model: null, models: [suiteModel] });
      const allowed = okJson(await world.send({ path: '/api/tags', key: own?.key }))
        .at('models')
        .list();
      assert.deepEqual(
        allowed.map((model) => model.at('name').value),
        [suiteModel],
      );
      const shown = okJson(await world.send({ path: '/api/show', key, body: { model: `${suiteModel}:latest` } }));
      assert.ok(
        shown
          .at('capabilities')
          .list()
          .some(({ value }) => value === 'completion'),
      );
      assert.ok(shown.at('model_info', 'text.context_length').number() > 0);
      assertTextError(await world.send({ path: '/api/show', key, body: { model: 'none' } }), 404);
      assertTextError(await world.send({ path: '/api/show', key, body: {} }), 422);
    },
    settings,
  ),
];

/** The wire of another family of clients, whose streams are lines of JSON. */
export const ollamaCases: readonly GatewayCase[] = [...generating, ...failing, ...embedding];
