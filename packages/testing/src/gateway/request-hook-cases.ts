import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { HookDecision, HookQuestion } from './gateway-under-test.ts';
import { greeting, type Ask, type GatewayWorld } from './gateway-world.ts';
import { helloBody } from './generate-ask.ts';
import { everyKind, kindRows } from './kind-rows.ts';
import { liveBody, liveModel } from './live-ask.ts';
import { keyRing } from './made-resource.ts';
import { plainAnswerMicros, suiteModel, suiteRow } from './suite-tariff.ts';

type Decide = (question: HookQuestion) => HookDecision | undefined | Promise<HookDecision | undefined>;

const goOn: Decide = () => undefined;

/** A hook that notes what it is asked, and decides what a case has it decide. */
const scriptedHook = () => {
  const questions: HookQuestion[] = [];
  let decide = goOn;
  return {
    onRequest: (question: HookQuestion) => {
      questions.push(question);
      return decide(question);
    },
    /** What it was asked since the last call, and how it decides from now on. */
    restart: (next: Decide): readonly HookQuestion[] => {
      decide = next;
      return questions.splice(0);
    },
    asked: (): readonly HookQuestion[] => questions.splice(0),
  };
};

const every = scriptedHook();
const refusing = scriptedHook();
const changing = scriptedHook();
const repeated = scriptedHook();
const failing = scriptedHook();
const passing = scriptedHook();

const dialects = { openai: true, google: true, anthropic: true, ollama: true } as const;

const messages = { model: suiteModel, max_tokens: 100, messages: greeting.messages };

/** A charged request of every wire that runs at once. */
const wires: readonly (Ask & { readonly route: string })[] = [
  { path: '/chat/completions', body: greeting, route: 'createChatCompletion' },
  { path: `/models/${suiteModel}:generateContent`, body: helloBody, route: 'generateContent' },
  { path: `/models/${suiteModel}:streamGenerateContent`, body: helloBody, route: 'streamGenerateContent' },
  { path: `/v1beta/models/${suiteModel}:generateContent`, body: helloBody, route: 'generateContent' },
  { path: '/responses', body: { model: suiteModel, input: 'Hello' }, route: 'createChatCompletion' },
  { path: '/completions', body: { model: suiteModel, prompt: 'Hello' }, route: 'createChatCompletion' },
  {
    path: '/messages',
    headers: { 'anthropic-version': '2023-06-01' },
    body: messages,
    route: 'createChatCompletion',
  },
  { path: '/api/chat', body: { ...greeting, stream: false }, route: 'createChatCompletion' },
];

const isCharged = ({ kind }: { readonly kind: string }): boolean => !['store', 'agent', 'environment'].includes(kind);

/** A request for a resource of every type that is charged, and for a session. */
const opening = async (world: GatewayWorld): Promise<readonly Ask[]> => {
  const keys = keyRing(world);
  const asks: Ask[] = [
    { path: '/embeddings', key: await keys('embedding-001'), body: { input: 'Hello' } },
    { path: '/live', key: await keys(liveModel), body: liveBody },
  ];
  for (const row of kindRows.filter(isCharged)) {
    const key = await keys(row.model);
    asks.push({ path: row.path, key, body: await row.body(world, key) });
  }
  return asks;
};

const storedOf = async (world: GatewayWorld, id: string) =>
  jsonOf((await world.admin.readOperation(id)) ?? assert.fail(`no operation ${id}`));

const reservedOf = async (world: GatewayWorld) => (await world.wallet.read(world.accountId)).reservedMicros;

const catalog = [suiteRow({ id: suiteModel }), suiteRow({ id: 'other-row' })];

/** What a host decides of requests before anything is reserved. */
export const requestHookCases: readonly GatewayCase[] = [
  gatewayCase(
    'asks the host about each charged request, whatever its wire, and keeps its tags with the operation',
    async (world) => {
      every.restart(({ route }) => ({ tags: { customer: 'c-1', route } }));
      for (const { route, ...ask } of wires) {
        const answer = await world.send(ask);
        assert.equal(answer.status, 200, `${ask.path}: ${answer.text}`);
        const [question, ...more] = every.asked();
        assert.ok(question !== undefined && more.length === 0, ask.path);
        const { requestId, keyId, projectId, accountId, model, body } = question;
        assert.deepEqual(
          { requestId, keyId, projectId, accountId, model, route: question.route, body },
          {
            requestId: requestIdOf(answer),
            keyId: world.keyId,
            projectId: world.projectId,
            accountId: world.accountId,
            model: suiteModel,
            route,
            body: ask.body,
          },
        );
        const stored = await storedOf(world, requestId);
        assert.deepEqual(stored.at('tags').value, { customer: 'c-1', route });
        assert.equal(stored.at('askedModel').value, null);
      }
      for (const ask of await opening(world)) {
        every.asked();
        const answer = await world.send(ask);
        assert.equal(answer.status, 200, `${ask.path}: ${answer.text}`);
        const asked = every.asked();
        assert.deepEqual(
          asked.map(({ requestId, body }) => ({ requestId, body })),
          [{ requestId: requestIdOf(answer), body: ask.body }],
          ask.path,
        );
        assert.equal((await storedOf(world, requestIdOf(answer))).at('tags', 'customer').value, 'c-1', ask.path);
      }
    },
    { ...everyKind, compatibility: dialects, hooks: { onRequest: every.onRequest } },
  ),
  gatewayCase(
    'refuses in the words of the host, in the form of each wire, before anything is reserved or registered',
    async (world) => {
      refusing.restart(() => ({ refuse: { message: 'The house does not serve this.' } }));
      for (const { route: _, ...ask } of wires) {
        const answer = await world.send(ask);
        assert.equal(answer.status, 403, `${ask.path}: ${answer.text}`);
        assert.ok(answer.text.includes('The house does not serve this.'), `${ask.path}: ${answer.text}`);
      }
      for (const ask of await opening(world))
        assert.equal(assertRefused(await world.send(ask), 403, 'request_refused').at('request_id').value, undefined);
      assertRefused(await world.chat(), 403, 'request_refused');
      refusing.restart(() => ({ refuse: { code: 'rate_limited' } }));
      assert.equal((await world.chat()).status, 429);
      assert.equal(world.provider.calls.length, 0);
      assert.equal(await reservedOf(world), 0n);
      const operations = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
      // A store and a file of the bodies above cost nothing, and are not asked about.
      assert.deepEqual(
        operations.filter(({ kind }) => kind !== 'store').map(({ kind }) => kind),
        [],
      );
    },
    { ...everyKind, compatibility: dialects, hooks: { onRequest: refusing.onRequest } },
  ),
  gatewayCase(
    'runs the model that the host chose, at its price, and keeps the one that was asked',
    async (world) => {
      changing.restart(() => ({ model: 'other-row' }));
      const answer = await world.chat();
      assert.equal(okJson(answer).at('model').value, 'other-row');
      assert.equal(okJson(answer).at('service', 'credits').value, 0.04);
      const stored = await storedOf(world, requestIdOf(answer));
      assert.deepEqual(
        [stored.at('model').value, stored.at('askedModel').value, stored.at('chargedMicros').value],
        ['other-row', suiteModel, plainAnswerMicros * 2n],
      );
      changing.restart(() => ({ model: 'nowhere' }));
      assertRefused(await world.chat(), 503, 'service_unavailable');
      assert.ok(world.logged().includes('the catalog does not hold the model'));
      assert.equal(world.provider.calls.length, 1);
    },
    {
      catalog,
      tariff: {
        version: 'suite-hooks',
        models: {
          [suiteModel]: { perMillion: { input_text_tokens: '1000', output_text_tokens: '2000' } },
          'other-row': { perMillion: { input_text_tokens: '2000', output_text_tokens: '4000' } },
        },
      },
      hooks: { onRequest: changing.onRequest },
    },
  ),
  gatewayCase(
    'replays what an Idempotency-Key stands for without asking the host again, whatever it would decide now',
    async (world) => {
      const headers = { 'idempotency-key': 'once' };
      repeated.restart(() => ({ model: 'other-row', tags: { round: '1' } }));
      const first = await world.chat(greeting, { headers });
      assert.equal(okJson(first).at('model').value, 'other-row');
      assert.equal(repeated.restart(() => ({ refuse: {} })).length, 1);
      const second = await world.chat(greeting, { headers });
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.equal(second.text, first.text);
      const other = { messages: [{ role: 'user', content: 'Other' }] };
      assertRefused(await world.chat(other, { headers }), 409, 'ai_idempotency_conflict');
      assert.deepEqual(repeated.asked(), []);
      assert.equal(world.provider.calls.length, 1);
      assertRefused(await world.chat(greeting, { headers: { 'idempotency-key': 'twice' } }), 403, 'request_refused');
      // A refusal stores nothing: the same key may succeed later.
      repeated.restart(() => undefined);
      const third = await world.chat(greeting, { headers: { 'idempotency-key': 'twice' } });
      assert.equal(okJson(third).at('model').value, suiteModel);
    },
    { catalog, hooks: { onRequest: repeated.onRequest } },
  ),
  gatewayCase(
    'refuses a request whose hook throws or takes too long, and does not wait for it',
    async (world) => {
      failing.restart(() => Promise.reject(new Error('no database')));
      const refused = await world.chat();
      assertRefused(refused, 503, 'service_unavailable');
      assert.equal(refused.headers.get('x-should-retry'), 'true');
      let aborted = false;
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      failing.restart(
        ({ signal }) =>
          new Promise(() => {
            signal.addEventListener('abort', () => {
              aborted = true;
            });
            begin();
          }),
      );
      const waiting = world.chat();
      await begun;
      world.time.advance(500);
      assertRefused(await waiting, 503, 'service_unavailable');
      assert.ok(aborted);
      assert.equal(world.provider.calls.length, 0);
      for (const reason of ['threw', 'late'])
        assert.ok(world.logged().includes(`"code":"on_request_failed","reason":"${reason}"`), reason);
    },
    { hooks: { onRequest: failing.onRequest, timeoutMs: 500 } },
  ),
  gatewayCase(
    'lets a request go on as it was asked where its hook fails and the host has it so',
    async (world) => {
      passing.restart(() => Promise.reject(new Error('no database')));
      const answer = await world.chat();
      assert.equal(okJson(answer).at('model').value, suiteModel);
      assert.equal((await storedOf(world, requestIdOf(answer))).at('tags').value, null);
      assert.ok(world.logged().includes('"code":"on_request_failed","reason":"threw"'));
    },
    { hooks: { onRequest: passing.onRequest, onFailure: 'pass' } },
  ),
];
