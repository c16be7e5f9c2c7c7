import assert from 'node:assert/strict';
import { assertRefused, okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

const settings = { compatibility: { openai: true } } as const;

/** Paths in which clients put the version of their own service, or the model. */
export const pathFamilyCases: readonly GatewayCase[] = [
  gatewayCase(
    'takes the paths of other services for its own, and their header for the key',
    async (world) => {
      const azure = { 'api-key': world.key };
      for (const prefix of ['/v1', '/openai/v1', '/openai', `/openai/deployments/${suiteModel}`]) {
        okJson(await world.send({ path: `${prefix}/chat/completions?api-version=2026-01-01`, body: greeting }));
        const isAzure = prefix.startsWith('/openai');
        const answer = await world.send({
          path: `${prefix}/chat/completions`,
          body: greeting,
          key: null,
          headers: azure,
        });
        assert.equal(answer.status, isAzure ? 200 : 401, prefix);
      }
      assert.equal(
        (await world.send({ path: '/openai/deployments/a/b/chat/completions', body: greeting })).status,
        404,
      );
    },
    settings,
  ),
  gatewayCase(
    'takes the model of a path as that of the call, and as a part of its identity',
    async (world) => {
      const projectId = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId, model: null });
      const path = `/openai/deployments/${suiteModel}/chat/completions`;
      const headers = { 'idempotency-key': 'once' };
      assert.equal(okJson(await world.send({ path, body: greeting, key, headers })).at('model').value, suiteModel);
      // The same body elsewhere is another request.
      assertRefused(
        await world.send({ path: '/chat/completions', body: greeting, key, headers }),
        409,
        'ai_idempotency_conflict',
      );
      const body = { ...greeting, model: suiteModel };
      okJson(await world.send({ path, body, key }));
      const other = '/openai/deployments/no-such-model/chat/completions';
      assertRefused(await world.send({ path: other, body: greeting, key }), 404, 'not_found');
      assertRefused(await world.send({ path: other, body, key }), 422, 'invalid_request');
      okJson(await world.send({ path: `/openai/deployments/${suiteModel}/responses`, body: { input: 'Hello' }, key }));
      assert.equal(world.provider.calls.length, 3);
    },
    settings,
  ),
  gatewayCase('has none of these paths without the compatible mode', async (world) => {
    // The message names the path, and so the word in it.
    for (const prefix of ['/v1', '/openai/v1', `/openai/deployments/${suiteModel}`])
      assert.equal((await world.open({ path: `${prefix}/chat/completions`, body: greeting })).status, 404);
  }),
];
