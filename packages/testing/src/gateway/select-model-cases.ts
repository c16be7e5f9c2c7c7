import assert from 'node:assert/strict';
import { assertRefused, okJson, type Answer } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { suiteRow } from './suite-tariff.ts';

const modelOf = (answer: Answer): unknown => okJson(answer).at('model').value;

/** What a host was asked to choose a model for. */
const questions: unknown[] = [];

/** Models that a host chooses for keys that are bound to none. */
export const selectModelCases: readonly GatewayCase[] = [
  gatewayCase(
    'lets the host choose by the key and by the routes that are asked, whichever wire the client speaks',
    async (world) => {
      const caller = await world.createCaller({ projectId: world.projectId, model: null });
      const { key, keyId, projectId, accountId } = caller;
      assert.equal(modelOf(await world.chat(undefined, { key })), 'chat-row');
      const body = { input: 'Hello', model: 'service-auto' };
      assert.equal(modelOf(await world.send({ path: '/responses', key, body })), 'chat-row');
      assert.equal(modelOf(await world.send({ path: '/embeddings', key, body: { input: 'Hello' } })), 'vector-row');
      const routes = ['chat', 'chat', 'embeddings'];
      assert.deepEqual(
        questions.splice(0),
        routes.map((route) => ({ keyId, projectId, accountId, request: { route, hasId: true } })),
      );
    },
    {
      catalog: [
        suiteRow({ id: 'chat-row' }),
        suiteRow({ id: 'vector-row', family: 'embedding', routes: ['embeddings'] }),
      ],
      compatibility: { openai: true },
      selectModel: (available, question) => {
        const { id, route } = question.request;
        questions.push({ ...question, request: { route, hasId: id !== undefined } });
        return available.find(({ routes }) => routes.some((family) => family === route)) ?? null;
      },
    },
  ),
  gatewayCase(
    'refuses a choice that is no model entry of the catalog, and logs it',
    async (world) => {
      const { key, keyId } = await world.createCaller({ projectId: world.projectId, model: null });
      assertRefused(await world.chat(undefined, { key }), 503, 'service_unavailable');
      assert.equal(world.provider.calls.length, 0);
      assert.ok(world.logged().includes(`"code":"select_model_failed","keyId":"${keyId}","route":"chat"`));
    },
    { selectModel: ([row]) => (row === undefined ? null : { ...row, id: 'another' }) },
  ),
];
