import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { openaiProvider } from '../../packages/provider-openai/src/index.ts';
import {
  fakeCompletion,
  startFakeOpenai,
  type FakeOpenai,
  type FakeOpenaiBehaviour,
} from '../../packages/testing/src/fakes.ts';
import { chatBody, choiceIn, errorIn, eventsIn, getPath, postChat, type Answered } from './chat-call.ts';
import { boundModel, lastOf, startGateway, type RunningGateway } from './running-gateway.ts';
import { dropDatabase, storages } from './storages.ts';

const marker = 'SECRET-MARKER-7f3a';
const upstreamKey = 'sk-upstream-never-shown';
/** What the upstream calls its answer: kept on the attempt to reconcile by, and shown to no client. */
const answerId = 'answer-of-the-upstream';
const error = { message: `${marker} says ${upstreamKey}`, type: marker, param: marker, code: null };

interface World {
  readonly running: RunningGateway;
  readonly fake: FakeOpenai;
}

const recordOf = async (running: RunningGateway, id: string): Promise<Answered> => getPath(running, `/requests/${id}`);

const heldMicros = async ({ gateway, accountId }: RunningGateway): Promise<bigint | undefined> =>
  (await gateway.admin.readWallet(accountId))?.reservedMicros;

afterAll(dropDatabase);

describe.each(storages)('a gateway before a chat completions upstream, on %s', (_, open) => {
  const start = async (): Promise<World> => {
    const fake = await startFakeOpenai();
    const provider = openaiProvider({ baseUrl: fake.url, apiKey: upstreamKey, timeoutMs: 600_000 });
    const running = await startGateway({
      options: { storage: await open(), provider, compatibility: { openai: true }, limits: { persistPauseMs: 1 } },
    });
    onTestFinished(async () => {
      await running.close();
      await fake.close();
    });
    return { running, fake };
  };

  test.each([
    ['a 400', { kind: 'status', status: 400, body: { error } }, 422, 'unsupported_parameter', 'failed'],
    [
      'an over-long context',
      { kind: 'status', status: 400, body: { error: { ...error, code: 'context_length_exceeded' } } },
      422,
      'input_limit',
      'failed',
    ],
    ['a 401', { kind: 'status', status: 401, body: { error } }, 503, 'service_unavailable', 'failed'],
    ['a 403', { kind: 'status', status: 403, body: `<h1>${marker}</h1>` }, 503, 'service_unavailable', 'failed'],
    ['a 404', { kind: 'status', status: 404, body: { error } }, 503, 'service_unavailable', 'failed'],
    [
      'a redirect',
      { kind: 'status', status: 307, headers: { location: `/${marker}` } },
      503,
      'service_unavailable',
      'failed',
    ],
    ['a 500', { kind: 'status', status: 500, body: { error } }, 502, 'request_failed', 'failed'],
    ['a 502', { kind: 'status', status: 502, body: marker }, 502, 'request_failed', 'uncertain'],
    ['a 503', { kind: 'status', status: 503, body: { error } }, 503, 'service_unavailable', 'failed'],
    ['an error inside a 200', { kind: 'answer', body: { error } }, 502, 'request_failed', 'uncertain'],
    ['a page of HTML', { kind: 'answer', body: `<html>${marker}</html>` }, 502, 'request_failed', 'uncertain'],
    [
      'an answer without choices',
      { kind: 'answer', body: { id: answerId, object: marker, choices: [] } },
      502,
      'request_failed',
      'uncertain',
    ],
    ['a connection cut before the headers', { kind: 'cut_before_headers' }, 502, 'request_failed', 'uncertain'],
    ['a connection cut in the body', { kind: 'cut_mid_body' }, 502, 'request_failed', 'uncertain'],
    [
      'an answer without usage',
      { kind: 'answer', body: fakeCompletion({}, { usage: undefined }) },
      502,
      'request_failed',
      'uncertain',
    ],
    [
      'an answer that broke off',
      { kind: 'answer', body: fakeCompletion({ finish_reason: null }) },
      502,
      'request_failed',
      'uncertain',
    ],
  ] as const satisfies readonly (readonly [string, FakeOpenaiBehaviour, number, string, string])[])(
    'answers %s without a word of it, and the record says what became of the operation [errors:privacy:no-upstream-text] [errors:uncertain:first-answer] [errors:format:request-id]',
    async (...[, behaviour, status, code, state]) => {
      const { running, fake } = await start();
      fake.script(behaviour);
      const answer = await postChat(running, chatBody('Hello'), { 'idempotency-key': 'one' });
      const { request_id: id = '', ...told } = errorIn(answer);
      expect([answer.status, told.code]).toEqual([status, code]);
      expect(answer.headers.get('x-request-id')).toBe(id);
      const record = await recordOf(running, id);
      const operation = await running.gateway.admin.readOperation(id);
      const repeat = await postChat(running, chatBody('Hello'), { 'idempotency-key': 'one' });
      expect(JSON.parse(record.text)).toMatchObject({
        status: state,
        charged_credits: 0,
        response: null,
        error_code: state === 'uncertain' ? 'settlement_pending' : code,
      });
      expect(operation).toMatchObject({ state, attempts: [{ provider: 'openai' }] });
      expect(errorIn(repeat).code).toBe(state === 'uncertain' ? 'settlement_pending' : 'previous_request_failed');
      // Certain failure frees the hold, an unknown outcome keeps it.
      expect((await heldMicros(running)) === 0n).toBe(state === 'failed');
      expect(fake.count()).toBe(1);
      const shown = [answer, record, repeat].map(({ text, headers }) => text + JSON.stringify([...headers])).join('');
      // The upstream's id of its answer is kept for the operator alone.
      const kept = JSON.stringify(operation, (name, value: unknown) =>
        name === 'answerId' ? undefined : typeof value === 'bigint' ? `${value}` : value,
      );
      expect(shown).not.toContain(answerId);
      for (const secret of [marker, upstreamKey, 'gemini', 'fake-model', fake.url]) {
        expect(shown).not.toContain(secret);
        expect(kept).not.toContain(secret);
      }
    },
  );

  test('tries a 429 again and answers 503 with Retry-After when it stays one [limits:rate:upstream-429]', async () => {
    const { running, fake } = await start();
    const busy = { kind: 'status', status: 429, headers: { 'retry-after-ms': '5' }, body: { error } } as const;
    fake.script(busy, busy, busy);
    const answer = await postChat(running, chatBody('Hello'));
    const { code, request_id: id = '' } = errorIn(answer);
    expect([answer.status, code]).toEqual([503, 'service_unavailable']);
    expect(answer.headers.get('retry-after')).toBe('1');
    expect(answer.headers.get('x-should-retry')).toBe('true');
    const operation = await running.gateway.admin.readOperation(id);
    expect(operation?.attempts.map(({ status, outcome }) => [status, outcome])).toEqual([
      [429, 'refused'],
      [429, 'refused'],
      [429, 'refused'],
    ]);
    expect(operation).toMatchObject({ state: 'failed', holdMicros: 0n, chargedMicros: 0n });
    expect(await heldMicros(running)).toBe(0n);
  });

  test('does not wait for an upstream that asks for long, and says how long [limits:rate:upstream-429]', async () => {
    const { running, fake } = await start();
    fake.script({ kind: 'status', status: 429, headers: { 'retry-after': '30' }, body: { error } });
    const answer = await postChat(running, chatBody('Hello'));
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(fake.count()).toBe(1);
  });

  test('records the attempts of an operation that succeeded after a 429 and charges once [ledger:settle:debit-measured]', async () => {
    const { running, fake } = await start();
    fake.script({ kind: 'status', status: 429, headers: { 'retry-after-ms': '1' }, body: { error } });
    const answer = await postChat(running, chatBody('Hello'));
    expect(answer.status).toBe(200);
    const id = answer.headers.get('x-request-id') ?? '';
    const operation = await running.gateway.admin.readOperation(id);
    expect(operation?.attempts.map(({ status, outcome }) => [status, outcome])).toEqual([
      [429, 'refused'],
      [200, 'answered'],
    ]);
    // 100 and 20 tokens at the price list of test mode.
    expect(operation).toMatchObject({ state: 'completed', chargedMicros: 180n, holdMicros: 0n });
    const statement = await running.gateway.admin.readStatement(running.accountId);
    expect(statement.filter(({ kind }) => kind === 'debit')).toHaveLength(1);
  });

  test('keeps the hold of an operation that is uncertain until it is decided [ledger:uncertain:keeps-hold]', async () => {
    const { running, fake } = await start();
    fake.script({ kind: 'cut_mid_body' });
    const { request_id: id = '' } = errorIn(await postChat(running, chatBody('Hello')));
    const held = await heldMicros(running);
    expect(held).toBeGreaterThan(0n);
    expect(JSON.parse((await recordOf(running, id)).text)).toMatchObject({ reserved_credits: Number(held) / 1e6 });
    expect(await running.gateway.admin.resolveOperation(id, { executed: false })).toMatchObject({ kind: 'resolved' });
    expect(await heldMicros(running)).toBe(0n);
  });

  test('charges a measure that came late, and shows the answer that it had kept [requests:move:uncertain-resolved]', async () => {
    const { running, fake } = await start();
    fake.script({ kind: 'answer', body: fakeCompletion({}, { usage: null }) });
    const { request_id: id = '' } = errorIn(await postChat(running, chatBody('Hello'), { 'idempotency-key': 'late' }));
    const { admin } = running.gateway;
    expect(await admin.resolveOperation(id, { executed: true })).toMatchObject({ kind: 'amount_needed' });
    await admin.resolveOperation(id, { executed: true, amountMicros: 250n });
    const replay = await postChat(running, chatBody('Hello'), { 'idempotency-key': 'late' });
    expect([replay.status, choiceIn(replay).message.content]).toEqual([200, 'Hello from upstream.']);
    expect(JSON.parse(replay.text)).toMatchObject({ service: { credits: 0.00025 } });
    expect(JSON.parse((await recordOf(running, id)).text)).toMatchObject({
      status: 'completed',
      charged_credits: 0.00025,
      response: { id: `chatcmpl-${id}` },
    });
    expect(fake.count()).toBe(1);
  });

  test('never shows the upstream name of the model [chat:response:public-model] [errors:privacy:no-upstream-text]', async () => {
    const { running, fake } = await start();
    const unary = await postChat(running, chatBody('Hello'));
    const stream = await postChat(running, chatBody('Hello', { stream: true }));
    const record = await recordOf(running, unary.headers.get('x-request-id') ?? '');
    const models = await getPath(running, '/models');
    expect(lastOf(fake.requests).body).toMatchObject({ model: 'gemini-3.8-flash' });
    expect(JSON.parse(unary.text)).toMatchObject({ model: boundModel });
    for (const { status, text, headers } of [unary, stream, record, models]) {
      expect(status).toBe(200);
      expect(text + JSON.stringify([...headers])).not.toMatch(/gemini|fake-model|chatcmpl-fake/);
    }
  });

  test('hands on what the compatibility option honours [chat:compat:openai]', async () => {
    const { running, fake } = await start();
    const sampling = { max_tokens: 9, top_p: 0.5, stop: ['END'], seed: 3, temperature: 0, user: 'ana' };
    await postChat(running, chatBody('Hello', sampling));
    expect(lastOf(fake.requests).body).toMatchObject(sampling);
    expect(lastOf(fake.requests).headers['authorization']).toBe(`Bearer ${upstreamKey}`);
    // The key of the client is the gateway's own affair.
    expect(JSON.stringify(lastOf(fake.requests))).not.toContain(running.key);
  });

  test.each(['with its context', 'without it'])(
    'gives the upstream its state back when the client resends the assistant message %s [chat:message:context-return] [chat:message:context-fallback]',
    async (how) => {
      const { running, fake } = await start();
      const call = {
        id: 'call_1',
        type: 'function',
        function: { name: 'get_weather', arguments: '{"city":"Lisbon"}' },
        extra_content: { google: { thought_signature: 'c2lnMQ==' } },
      };
      const message = { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [call] };
      fake.script({ kind: 'answer', body: fakeCompletion({ message, finish_reason: 'tool_calls' }) });
      const tools = [{ type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }];
      const first = await postChat(running, chatBody('Weather?', { tools }));
      const { context, ...bare } = choiceIn(first).message;
      expect(first.text).not.toMatch(/thought_signature|Hm\./);
      const messages = [
        { role: 'user', content: 'Weather?' },
        how === 'without it' ? bare : { ...bare, context },
        { role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' },
      ];
      const second = await postChat(running, JSON.stringify({ messages, tools }));
      expect(second.status).toBe(200);
      const { messages: sent } = lastOf(fake.requests).body as { messages: object[] };
      expect(sent[1]).toEqual(message);
      expect(sent[2]).toMatchObject({ role: 'tool', tool_call_id: 'call_1', content: 'Sunny.' });
    },
  );

  test('carries a large answer whole, in a stream, in a replay and on the record [idempotency:replay:equal-answer] [requests:record:response-chat]', async () => {
    const { running, fake } = await start();
    const content = 'Größe 🛰️ '.repeat(50_000);
    const body = fakeCompletion({ message: { role: 'assistant', content } });
    fake.script({ kind: 'answer', body }, { kind: 'answer', body });
    const ask = () => postChat(running, chatBody('Much, please.'), { 'idempotency-key': 'large' });
    const [first, replay] = [await ask(), await ask()];
    expect(choiceIn(first).message.content).toBe(content);
    expect(replay.text).toBe(first.text);
    const record = await recordOf(running, first.headers.get('x-request-id') ?? '');
    expect((JSON.parse(record.text) as { response: unknown }).response).toEqual(JSON.parse(first.text));
    const stream = await postChat(running, chatBody('Much, please.', { stream: true }));
    const deltas = eventsIn(stream)
      .filter((event) => event !== '[DONE]')
      .map((event) => (JSON.parse(event) as { choices: [{ delta: { content?: string } }] }).choices[0].delta);
    expect(deltas.map((delta) => delta.content ?? '').join('')).toBe(content);
    expect(fake.count()).toBe(2);
  });

  test('serves many at once, each its own answer [ledger:settle:debit-measured]', async () => {
    const { running, fake } = await start();
    const many = Array.from({ length: 60 }, (_unused, index) => index);
    fake.script(
      ...many.map(
        (index) =>
          ({ kind: 'answer', body: fakeCompletion({ message: { content: `n${index}` } }), afterMs: 20 }) as const,
      ),
    );
    const answers = await Promise.all(many.map((index) => postChat(running, chatBody(`Hello ${index}`))));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    expect(new Set(answers.map((answer) => choiceIn(answer).message.content)).size).toBe(60);
    const statement = await running.gateway.admin.readStatement(running.accountId);
    expect(statement.filter(({ kind }) => kind === 'debit')).toHaveLength(60);
    expect(await heldMicros(running)).toBe(0n);
  });
});
