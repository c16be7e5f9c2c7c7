import assert from 'node:assert/strict';
import { assertRefused, jsonOf, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import { aliceOf, operationOf, scriptedHost, signedIn, signedInChat } from './host-caller.ts';
import { suiteModel } from './suite-tariff.ts';

const referred = scriptedHost();
const narrow = scriptedHost();
const limited = scriptedHost();
const strange = scriptedHost();
const refused = scriptedHost();

/** Under whose terms a caller counts whom the host recognises. */
export const hostCallerTermsCases: readonly GatewayCase[] = [
  gatewayCase(
    'makes one record for each reference, under whose terms its caller counts',
    async (world) => {
      referred.restart(aliceOf(world, { reference: 'user:alice' }));
      const answers = await Promise.all(Array.from({ length: 6 }, () => world.send(signedIn(signedInChat))));
      answers.forEach((answer) => okJson(answer));
      const keys = await world.admin.listKeys(world.projectId);
      const own = keys.filter(({ reference }) => reference === 'user:alice');
      const [record] = own;
      assert.ok(record !== undefined && own.length === 1);
      for (const answer of answers) assert.equal((await operationOf(world, answer)).keyId, record.id);
      const found = await world.admin.findKeys({ projectId: world.projectId, reference: 'user:alice' });
      assert.deepEqual(found, { items: [record], next: null });
      const cap = { amountMicros: 1n, window: 'day' } as const;
      await world.admin.changeKey(record.id, { cap });
      assertRefused(await world.send(signedIn(signedInChat)), 402, 'ai_key_budget_exceeded');
      await world.admin.changeKey(record.id, { cap: null });
      okJson(await world.send(signedIn(signedInChat)));
      await world.admin.setKeyStatus(record.id, 'inactive');
      assertRefused(await world.send(signedIn(signedInChat)), 401, 'ai_key_inactive');
      await world.admin.setKeyStatus(record.id, 'active');
      const known = await world.admin.createKeyOnce({
        projectId: world.projectId,
        reference: 'user:alice',
        model: null,
      });
      assert.deepEqual({ id: known?.id, key: known?.key }, { id: record.id, key: null });
      await world.admin.changeProject(world.projectId, { status: 'paused' });
      assertRefused(await world.send(signedIn(signedInChat)), 403, 'project_paused');
    },
    { authenticate: referred.authenticate },
  ),
  gatewayCase(
    'lets a caller call the models that the host names, of those that its key may call',
    async (world) => {
      const { id: keyId } = (await world.admin.createKeyOnce({
        projectId: world.projectId,
        reference: 'team',
        model: null,
        models: [suiteModel, 'embedding-001'],
      })) ?? { id: '' };
      const may = async (models: readonly string[] | null, more: Readonly<Record<string, string>>) => {
        narrow.restart(aliceOf(world, { models, ...more }));
        return world.send(signedIn(signedInChat));
      };
      okJson(await may([suiteModel], { keyId }));
      okJson(await may(null, { keyId }));
      assertRefused(await may(['embedding-001'], { keyId }), 403, 'model_not_allowed');
      assertRefused(await may(['embedding-001'], {}), 403, 'model_not_allowed');
      const shown = jsonOf(JSON.parse((await world.send(signedIn({ path: '/account/limits' }))).text));
      assert.deepEqual(shown.at('models').value, ['embedding-001']);
    },
    { authenticate: narrow.authenticate },
  ),
  gatewayCase(
    'tells the limiter the limits that the host names',
    async (world) => {
      limited.restart(aliceOf(world, { limits: { requestsPerMinute: 7 } }));
      const answer = await world.send(signedIn(signedInChat));
      assertRefused(answer, 429, 'rate_limited');
      const shown = jsonOf(JSON.parse((await world.send(signedIn({ path: '/account/limits' }))).text));
      assert.equal(shown.at('requests_per_minute').value, 7);
    },
    {
      authenticate: limited.authenticate,
      limiter: {
        reserve: ({ limits }) => {
          assert.equal(limits?.key?.requestsPerMinute, 7);
          return Promise.resolve({ kind: 'limited', level: 'key', amount: 'requests', limit: 7, retryAfterMs: 1_000 });
        },
      },
    } satisfies GatewaySettings,
  ),
  gatewayCase(
    'shuts out the callers of a project that is closed, or of an account that is blocked',
    async (world) => {
      strange.restart(aliceOf(world));
      okJson(await world.send(signedIn(signedInChat)));
      await world.admin.changeAccount(world.accountId, { status: 'blocked' });
      assertRefused(await world.send(signedIn(signedInChat)), 403, 'access_blocked');
      await world.admin.changeAccount(world.accountId, { status: 'active' });
      await world.admin.changeProject(world.projectId, { status: 'closed' });
      assertRefused(await world.send(signedIn(signedInChat)), 403, 'access_blocked');
    },
    { authenticate: strange.authenticate },
  ),
  gatewayCase(
    'makes no record for a caller whom it refuses',
    async (world) => {
      const { projectId, accountId } = world;
      const send = async (more: Readonly<Record<string, unknown>>) => {
        refused.restart(aliceOf(world, { reference: 'user:refused', ...more }));
        return world.send(signedIn(signedInChat));
      };
      for (const more of [{ accountId: projectId }, { projectId: accountId }, { models: ['no-such-model'] }])
        assertRefused(await send(more), 503, 'service_unavailable');
      for (const reason of [
        'accountId is not the account of the project',
        'projectId names no project',
        "models names 'no-such-model', which is no model of the catalog",
      ])
        assert.ok(world.logged().includes(`"reason":"${reason}"`), reason);
      await world.admin.changeProject(projectId, { status: 'paused' });
      assertRefused(await send({}), 403, 'project_paused');
      await world.admin.changeProject(projectId, { status: 'active' });
      await world.admin.changeAccount(accountId, { status: 'inactive' });
      assertRefused(await send({}), 402, 'ai_contract_inactive');
      await world.admin.changeAccount(accountId, { status: 'active' });
      assert.equal((await world.admin.listKeys(projectId)).length, 1);
      okJson(await send({}));
      assert.equal((await world.admin.listKeys(projectId)).length, 2);
      const closed = await world.createProject(accountId);
      await world.admin.changeProject(closed, { status: 'closed' });
      assertRefused(await send({ projectId: closed }), 403, 'access_blocked');
    },
    { authenticate: refused.authenticate },
  ),
];
