import assert from 'node:assert/strict';
import { decimalFromMicros, type CreatedKey } from '@tollgate/engine';
import { assertRefused, okJson, type Json } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { scriptedLimiter } from './scripted-limiter.ts';
import { plainAnswerMicros, suiteModel } from './suite-tariff.ts';

const paths = ['/account/balance', '/account/usage', '/account/limits'] as const;

type Terms = Omit<Parameters<GatewayWorld['admin']['createKey']>[0], 'projectId' | 'model'>;

const keyWith = async (world: GatewayWorld, terms: Terms): Promise<CreatedKey> => {
  const created = await world.admin.createKey({ projectId: world.projectId, model: null, ...terms });
  assert.ok(created !== null);
  return created;
};

const rowsOf = async (world: GatewayWorld, query: string, key?: string): Promise<readonly Json[]> =>
  okJson(await world.send({ path: `/account/usage${query}`, key }))
    .at('data')
    .list();

/** A host that keeps the wallets keeps what the route would show. */
const isHostsWallet = async ({ admin, wallet, accountId }: GatewayWorld): Promise<boolean> =>
  (await wallet.read(accountId)).balanceMicros !== (await admin.readWallet(accountId))?.balanceMicros;

const hour = 3_600_000;
const isoOf = (ms: number): string => new Date(ms).toISOString();
const plainAnswer = decimalFromMicros(plainAnswerMicros);
const limiter = scriptedLimiter();

/** What a customer sees of its account, with its own key. */
export const accountCases: readonly GatewayCase[] = [
  gatewayCase(
    'shows the balance, what is reserved of it and what is free, and charges nothing for it',
    async (world) => {
      if (await isHostsWallet(world)) {
        assertRefused(await world.send({ path: '/account/balance' }), 404, 'not_found');
        return;
      }
      const { promise: until, resolve } = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
      const asked = world.chat(greeting);
      await world.provider.received(1);
      const { balanceMicros, reservedMicros } = await world.wallet.read(world.accountId);
      assert.ok(reservedMicros > 0n);
      const shown = okJson(await world.send({ path: '/account/balance' }));
      assert.deepEqual(shown.value, {
        object: 'account.balance',
        balance_credits: decimalFromMicros(balanceMicros),
        reserved_credits: decimalFromMicros(reservedMicros),
        available_credits: decimalFromMicros(balanceMicros - reservedMicros),
        owed_credits: '0.000000',
      });
      resolve();
      okJson(await asked);
      const settled = okJson(await world.send({ path: '/account/balance' }));
      assert.equal(settled.at('available_credits').value, decimalFromMicros(balanceMicros - plainAnswerMicros));
      assert.equal((await world.admin.listOperations({ kind: 'project', projectId: world.projectId })).length, 1);
    },
  ),
  gatewayCase(
    'shows what the project of a key used, by model and by key, and nothing of another project',
    async (world) => {
      const second = await keyWith(world, {});
      const stranger = await world.createCaller({
        projectId: await world.createProject(world.accountId),
        model: suiteModel,
      });
      okJson(await world.chat());
      okJson(await world.chat());
      okJson(await world.chat({ ...greeting, model: suiteModel }, { key: second.key }));
      okJson(await world.chat(undefined, { key: stranger.key }));
      const [byModel, ...others] = await rowsOf(world, '?group_by=model');
      assert.ok(byModel !== undefined && others.length === 0);
      assert.equal(byModel.at('model').value, suiteModel);
      assert.equal(byModel.at('requests').value, 3);
      assert.equal(byModel.at('charged_credits').value, decimalFromMicros(3n * plainAnswerMicros));
      assert.equal(byModel.at('units', 'input_text_tokens').value, 30);
      const byKey = await rowsOf(world, '?group_by=key,day');
      const counted = byKey.map((row) => [row.at('key_id').text(), row.at('requests').number()] as const);
      assert.deepEqual(
        new Map(counted),
        new Map([
          [world.keyId, 2],
          [second.id, 1],
        ]),
      );
      const [own] = await rowsOf(world, '?group_by=project', stranger.key);
      assert.deepEqual(
        [own?.at('project_id').value, own?.at('charged_credits').value],
        [stranger.projectId, plainAnswer],
      );
    },
  ),
  gatewayCase('pages through usage, within a range that stands still while time goes on', async (world) => {
    const second = await keyWith(world, {});
    okJson(await world.chat());
    okJson(await world.chat({ ...greeting, model: suiteModel }, { key: second.key }));
    const first = okJson(await world.send({ path: '/account/usage?group_by=key&limit=1' }));
    const next = first.at('next').text();
    world.time.advance(2 * hour);
    const rest = okJson(await world.send({ path: `/account/usage?group_by=key&limit=10&after=${next}` }));
    const shown = [...first.at('data').list(), ...rest.at('data').list()];
    assert.deepEqual(new Set(shown.map((row) => row.at('key_id').text())), new Set([world.keyId, second.id]));
    assert.equal(shown.length, 2);
    assert.equal(rest.at('next').value, null);
    assert.equal(new Set(shown.map((row) => row.at('from').text())).size, 1);
    const other = await world.send({ path: `/account/usage?group_by=key,model&after=${next}` });
    assert.ok(assertRefused(other, 422, 'invalid_request').at('message').text().includes('after'));
  }),
  gatewayCase('shows usage of the hours that are asked for alone', async (world) => {
    okJson(await world.chat());
    const hourStart = Math.floor(world.time.now() / hour) * hour;
    const range = (fromMs: number): string => `?from=${isoOf(fromMs)}&until=${isoOf(fromMs + hour)}`;
    assert.equal((await rowsOf(world, range(hourStart))).length, 1);
    assert.equal((await rowsOf(world, range(hourStart - hour))).length, 0);
    assert.equal((await rowsOf(world, range(hourStart + hour))).length, 0);
  }),
  gatewayCase('shows what a key may do and how far its cap is used, until its window begins anew', async (world) => {
    const expiresAtMs = world.time.now() + 48 * hour;
    const cap = { amountMicros: 500_000_000n, window: 'day', timeZone: 'Europe/Berlin' } as const;
    const { id, key } = await keyWith(world, { expiresAtMs, models: [suiteModel], cap });
    const limits = async (): Promise<Json> => okJson(await world.send({ path: '/account/limits', key }));
    const capNow = async (): Promise<Json> => (await limits()).at('caps', 0);
    assert.equal((await capNow()).at('spent_credits').value, '0.000000');
    okJson(await world.chat(undefined, { key }));
    const resetsAtMs = Date.UTC(2026, 10, 20, 23);
    assert.deepEqual((await limits()).value, {
      object: 'account.limits',
      key_id: id,
      models: [suiteModel],
      expires_at: isoOf(expiresAtMs),
      caps: [
        {
          window: 'day',
          time_zone: 'Europe/Berlin',
          limit_credits: '500.000000',
          spent_credits: plainAnswer,
          reserved_credits: '0.000000',
          remaining_credits: decimalFromMicros(500_000_000n - plainAnswerMicros),
          resets_at: isoOf(resetsAtMs),
        },
      ],
      requests_per_minute: null,
      tokens_per_minute: null,
      concurrent_requests: null,
      project_limits: { requests_per_minute: null, tokens_per_minute: null, concurrent_requests: null },
      account_limits: { requests_per_minute: null, tokens_per_minute: null, concurrent_requests: null },
    });
    world.time.advance(resetsAtMs - world.time.now());
    assert.equal((await capNow()).at('remaining_credits').value, '500.000000');
  }),
  gatewayCase('shows what an operation holds of the cap of its key', async (world) => {
    const { key } = await keyWith(world, { cap: { amountMicros: 900_000_000n, window: 'total' } });
    const { promise: until, resolve } = Promise.withResolvers<void>();
    world.provider.script({ kind: 'wait', until, next: { kind: 'answer' } });
    const asked = world.chat(greeting, { key });
    await world.provider.received(1);
    const { reservedMicros } = await world.wallet.read(world.accountId);
    const shown = okJson(await world.send({ path: '/account/limits', key })).at('caps', 0);
    assert.equal(shown.at('reserved_credits').value, decimalFromMicros(reservedMicros));
    assert.equal(shown.at('remaining_credits').value, decimalFromMicros(900_000_000n - reservedMicros));
    assert.equal(shown.at('resets_at').value, null);
    resolve();
    okJson(await asked);
  }),
  gatewayCase(
    "gives a limiter the limits of a key's own, and shows them to the key",
    async (world) => {
      const limits = { requestsPerMinute: 7, tokensPerMinute: 9_000, concurrentRequests: 2 };
      const { id, key } = await keyWith(world, { limits });
      okJson(await world.chat(undefined, { key }));
      assert.deepEqual(limiter.notesOf(id).questions[0]?.limits?.key, limits);
      const shown = okJson(await world.send({ path: '/account/limits', key }));
      assert.deepEqual(
        [shown.at('requests_per_minute').value, shown.at('tokens_per_minute').value],
        [limits.requestsPerMinute, limits.tokensPerMinute],
      );
      assert.equal(shown.at('concurrent_requests').value, limits.concurrentRequests);
    },
    { limiter },
  ),
  gatewayCase(
    'refuses parameters of the account that it does not know by their names, and those without a meaning',
    async (world) => {
      for (const path of paths) {
        const refused = assertRefused(await world.send({ path: `${path}?account=other` }), 422, 'invalid_request');
        assert.ok(refused.at('message').text().includes('account'), refused.at('message').text());
      }
      const bad = {
        from: ['2026-11-20', '2026-11-20T12:30:00Z', 'yesterday', '2030-01-01T00:00:00Z', '1990-01-01T00:00:00Z'],
        until: ['2026-11-20T12:00:00', '', '2026-02-30T00:00:00.5Z'],
        group_by: ['provider', 'model,model', 'model,', ','],
        limit: ['0', '101', '1e2', '-1', ''],
        after: ['', 'nonsense', Buffer.from('[0,3600000,"x"]').toString('base64url')],
      };
      for (const [name, values] of Object.entries(bad))
        for (const value of values) {
          if (name === 'group_by' && value === '') continue;
          const answer = await world.send({ path: `/account/usage?${name}=${encodeURIComponent(value)}` });
          const said = assertRefused(answer, 422, 'invalid_request').at('message').text();
          assert.ok(said.includes(`The parameter ${name} `), `${name}=${value}: ${said}`);
        }
      const twice = await world.send({ path: '/account/usage?limit=1&limit=2' });
      assert.ok(assertRefused(twice, 422, 'invalid_request').at('message').text().includes('limit'));
    },
  ),
  gatewayCase('shows the account to its own keys alone', async (world) => {
    const revoked = await keyWith(world, {});
    await world.admin.setKeyStatus(revoked.id, 'revoked');
    for (const path of paths) {
      assert.equal((await world.send({ path, key: null })).status, 401);
      assert.equal((await world.send({ path, key: revoked.key })).status, 401);
    }
  }),
];
