import assert from 'node:assert/strict';
import { contentResponseEventSchema } from '@tollgate/contract';
import { assertRefused, jsonOf, okJson, requestIdOf, uuidPattern, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { generate, helloBody, streamGenerate } from './generate-ask.ts';
import { blocksOf, dataOf, openStream, readWhole, text, textIn } from './generate-stream-reading.ts';
import { generateStreamReplayCases } from './generate-stream-replay-cases.ts';
import { suiteModel } from './suite-tariff.ts';

/** Reads pieces of a body as text, each as it comes; null at its end. */
const readerOf = (response: Response): (() => Promise<string | null>) => {
  assert.ok(response.body !== null);
  const bytes: AsyncIterable<Uint8Array> = response.body;
  const chunks = bytes[Symbol.asyncIterator]();
  const decoder = new TextDecoder();
  return async () => {
    const next = await chunks.next();
    return next.done === true ? null : decoder.decode(next.value, { stream: true });
  };
};

/** Reads a body to its end, or to where it breaks off. */
const readBroken = async (response: Response): Promise<{ readonly stream: string; readonly broken: boolean }> => {
  const read = readerOf(response);
  let stream = '';
  for (;;) {
    try {
      const piece = await read();
      if (piece === null) return { stream, broken: false };
      stream += piece;
    } catch {
      return { stream, broken: true };
    }
  }
};

const orderCases: readonly GatewayCase[] = [
  gatewayCase('sends what is there while the model still writes [stream:generate:incremental]', async (world) => {
    const { promise: until, resolve } = Promise.withResolvers<void>();
    const next = { kind: 'answer', pieces: [text(' day.')] } as const;
    world.provider.script({ kind: 'wait', pieces: [text('Good')], until, next });
    const response = await openStream(world);
    assert.equal(response.status, 200);
    const read = readerOf(response);
    const first = dataOf(blocksOf((await read()) ?? '')[0]);
    assert.equal(textIn([first]), 'Good');
    const [operation] = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
    assert.equal(operation?.state, 'processing');
    resolve();
    let rest = '';
    for (let piece = await read(); piece !== null; piece = await read()) rest += piece;
    assert.ok(rest.includes('content.completed'), rest);
  }),
  gatewayCase('sends plain events of content [stream:generate:increments-plain]', async (world) => {
    world.provider.script({ kind: 'answer', pieces: [text('One\n\n'), text('two\r\ndata: [DONE]')] });
    const answer = await streamGenerate(world);
    const { content } = readWhole(answer);
    assert.equal(content.length, 3);
    for (const event of content) {
      assert.ok(contentResponseEventSchema().safeParse(event.value).success);
      assert.deepEqual([event.at('service').value, event.at('modelVersion').value], [undefined, suiteModel]);
      assert.equal(event.at('responseId').value, requestIdOf(answer));
    }
    assert.equal(textIn(content), 'One\n\ntwo\r\ndata: [DONE]');
    const reasons = content.map((event) => event.at('candidates', 0, 'finishReason').value);
    assert.deepEqual(reasons, [undefined, undefined, 'STOP']);
  }),
  gatewayCase('names the event that completes a stream [stream:generate:completed-event]', async (world) => {
    const answer = await streamGenerate(world);
    const data = JSON.stringify({
      type: 'content.completed',
      service: { request_id: requestIdOf(answer), project_id: world.projectId, credits: 0.02 },
    });
    assert.ok(answer.text.includes(`\n\nevent: content.completed\ndata: ${data}\n\n`), answer.text);
  }),
  gatewayCase(
    'completes once, after the content and the debit [stream:generate:completed-once-after-content]',
    async (world) => {
      const before = (await world.wallet.read(world.accountId)).balanceMicros;
      const answer = await streamGenerate(world);
      const { completed } = readWhole(answer);
      const debited = before - (await world.wallet.read(world.accountId)).balanceMicros;
      assert.equal(completed.at('service', 'credits').value, Number(debited) / 1_000_000);
      assert.equal(answer.text.match(/content\.completed"/g)?.length, 1);
      assert.equal((await world.record(requestIdOf(answer))).at('charged_credits').value, 0.02);
    },
  ),
  gatewayCase('ends with [DONE] [stream:generate:done]', async (world) => {
    assert.equal(blocksOf((await streamGenerate(world)).text).at(-1), 'data: [DONE]');
  }),
  gatewayCase('leaves [DONE] out for alt=sse [stream:generate:alt-sse-omits-done]', async (world) => {
    const answer = await streamGenerate(world, helloBody, { query: '?alt=sse' });
    readWhole(answer, false);
    assert.ok(!answer.text.includes('[DONE]'));
  }),
  gatewayCase('streams as text/event-stream with the headers of a unary answer [stream:sse:headers]', async (world) => {
    const headers = { 'idempotency-key': 'streamed' };
    for (const replayed of ['false', 'true']) {
      const answer = await streamGenerate(world, helloBody, { headers });
      assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.headers.get('idempotency-replayed'), replayed);
      assert.match(requestIdOf(answer), uuidPattern);
    }
    const chat = await world.chat({ messages: [{ role: 'user', content: 'Hello' }], stream: true });
    assert.match(chat.headers.get('content-type') ?? '', /^text\/event-stream/);
    assert.deepEqual(
      [chat.headers.get('cache-control'), chat.headers.get('idempotency-replayed')],
      ['no-store', 'false'],
    );
    assert.match(requestIdOf(chat), uuidPattern);
  }),
];

/** The content of every event, in order. */
const contentsOf = (events: readonly Json[]): readonly unknown[] =>
  events.map((event) => event.at('candidates', 0, 'content').value);

const historyCases: readonly GatewayCase[] = [
  gatewayCase('ends with content that clients keep, and takes its pieces back as one turn', async (world) => {
    const pieces = [text('Good '), text('day.')];
    world.provider.script({ kind: 'answer', pieces });
    const streamed = contentsOf(readWhole(await streamGenerate(world)).content);
    assert.deepEqual(streamed.at(-1), { role: 'model', parts: [{ text: '' }] });
    const more = { role: 'user', parts: [{ text: 'And?' }] };
    okJson(await generate(world, { contents: [...helloBody.contents, ...streamed, more] }));
    const handed = world.provider.calls.at(-1)?.call.contents ?? [];
    assert.deepEqual(
      handed.map(({ role, parts }) => [role, parts.length]),
      [
        ['user', 1],
        ['model', 2],
        ['user', 1],
      ],
    );
    const proposed = ['a', 'b'].map((id) => ({ role: 'model', parts: [{ functionCall: { id, name: 'look' } }] }));
    const results = ['a', 'b'].map((id) => ({ functionResponse: { id, name: 'look', response: {} } }));
    const answered = { role: 'user', parts: results };
    okJson(await generate(world, { contents: [...helloBody.contents, ...proposed, answered] }));
    const turns = world.provider.calls.at(-1)?.call.contents ?? [];
    assert.deepEqual(
      turns.map(({ parts }) => parts.map(({ kind }) => kind)),
      [['text'], ['function_call', 'function_call'], ['function_response', 'function_response']],
    );
    const empty = { role: 'user', parts: [{ text: '' }] };
    assertRefused(await generate(world, { contents: [empty] }), 422, 'empty_message');
    const silent = { role: 'model', parts: [{ text: '' }] };
    assertRefused(await generate(world, { contents: [silent] }), 422, 'empty_message');
  }),
  gatewayCase('ends a stream that was refused midway without content to keep', async (world) => {
    const generation = { finish: 'content_filter', text: 'Half' } as const;
    world.provider.script({ kind: 'answer', pieces: [text('Half')], generation });
    const streamed = contentsOf(readWhole(await streamGenerate(world)).content);
    assert.deepEqual(streamed.at(-1), { role: 'model', parts: [] });
  }),
];

const failureCases: readonly GatewayCase[] = [
  gatewayCase('fails as JSON before the first event [stream:generate:error-before-first-byte]', async (world) => {
    world.provider.script({ kind: 'not_executed', reason: 'failed' }, { kind: 'unknown' });
    for (const status of ['failed', 'uncertain']) {
      const answer = await streamGenerate(world);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
      const id = assertRefused(answer, 502, 'request_failed').at('request_id').text();
      assert.equal((await world.record(id)).at('status').value, status);
    }
    assertRefused(await streamGenerate(world, {}), 422, 'invalid_request');
    const poor = await world.createAccount(1n);
    const { key } = await world.createCaller({ projectId: await world.createProject(poor), model: suiteModel });
    assertRefused(await streamGenerate(world, helloBody, { key }), 402, 'ai_insufficient_credits');
  }),
  gatewayCase(
    'ends in order what fails after the first event, without what marks success [stream:generate:error-midway]',
    async (world) => {
      const pieces = [text('Half')];
      world.provider.script({ kind: 'not_executed', reason: 'unavailable', pieces }, { kind: 'unknown', pieces });
      // What had begun has run, whatever the provider says of it afterwards.
      for (let turn = 0; turn < 2; turn += 1) {
        const response = await openStream(world);
        assert.equal(response.status, 200);
        const { stream, broken } = await readBroken(response);
        assert.equal(broken, false, 'the response must end in order');
        const [content, error, ...more] = blocksOf(stream);
        assert.equal(textIn([dataOf(content)]), 'Half');
        const head = 'event: error\ndata: ';
        assert.ok(error?.startsWith(head) === true, stream);
        const told = jsonOf(JSON.parse(error.slice(head.length))).at('error');
        assert.deepEqual([told.at('code').value, more], ['request_failed', []]);
        const id = response.headers.get('x-request-id') ?? '';
        assert.equal(told.at('request_id').value, id);
        assert.equal((await world.record(id)).at('status').value, 'uncertain');
      }
    },
  ),
  gatewayCase('ends what could not be debited with an error, and completes it later', async (world) => {
    const pieces = [text('Dear')];
    world.provider.script({
      kind: 'answer',
      pieces,
      generation: { usage: [{ unit: 'output_text_tokens', quantity: 10_000_000, confirmed: true }] },
    });
    const response = await openStream(world, { 'idempotency-key': 'dear' });
    const { stream, broken } = await readBroken(response);
    assert.ok(!broken && stream.includes('"code":"settlement_pending"'), stream);
    assert.ok(!stream.includes('content.completed') && !stream.includes('finishReason'), stream);
    await world.wallet.deposit(world.accountId, 100_000_000_000n);
    world.time.advance(120_000);
    await world.runJobs();
    const replay = await streamGenerate(world, helloBody, { headers: { 'idempotency-key': 'dear' } });
    assert.equal(textIn(readWhole(replay).content), 'Dear');
  }),
  gatewayCase('ends what takes too long with an error', async (world) => {
    world.provider.script({ kind: 'never', pieces: [text('Slow')] });
    const response = await openStream(world);
    world.time.advance(600_001);
    const { stream, broken } = await readBroken(response);
    assert.ok(!broken && stream.includes('"code":"request_failed"'), stream);
    assert.equal((await world.record(response.headers.get('x-request-id') ?? '')).at('status').value, 'uncertain');
  }),
];

/** The stream of generateContent. */
export const generateStreamCases: readonly GatewayCase[] = [
  ...orderCases,
  ...historyCases,
  ...failureCases,
  ...generateStreamReplayCases,
];
