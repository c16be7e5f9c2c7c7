import assert from 'node:assert/strict';
import { copying, createdJson, deleteFile, upload } from './file-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { helloBody } from './generate-ask.ts';
import { greeting, type Caller, type GatewayWorld } from './gateway-world.ts';
import { everyKind, kindRows } from './kind-rows.ts';
import { liveClient } from './live-ask.ts';
import { finishAll, removeOne } from './made-resource.ts';
import { suiteModel } from './suite-tariff.ts';
import { workThrough } from './video-ask.ts';

const idsOf = ({ accountId, projectId, keyId }: Omit<Caller, 'key'>): Omit<Caller, 'key'> => ({
  accountId,
  projectId,
  keyId,
});

/** Asserts that the provider was asked since then, and each time for this caller. */
const assertAsked = (world: GatewayWorld, since: number, owner: Omit<Caller, 'key'>, what: string): void => {
  const asked = world.provider.callers.slice(since);
  assert.ok(asked.length > 0, `${what}: the provider was asked`);
  for (const caller of asked) assert.deepEqual(idsOf(caller), idsOf(owner), what);
};

/** A caller of another project, so that no id of the world's own stands where it should not. */
const otherCaller = async (world: GatewayWorld, model: string): Promise<Caller> =>
  world.createCaller({ projectId: await world.createProject(world.accountId), model });

/** The caller that a provider receives, on every route and in every worker. */
export const callerCases: readonly GatewayCase[] = [
  gatewayCase('tells the provider whose call it is, on every route that calls a model', async (world) => {
    const chat = await otherCaller(world, suiteModel);
    const embedding = await otherCaller(world, 'embedding-001');
    const asks = [
      { owner: chat, path: '/chat/completions', body: greeting },
      { owner: chat, path: `/models/${suiteModel}:generateContent`, body: helloBody },
      { owner: chat, path: `/models/${suiteModel}:streamGenerateContent`, body: helloBody },
      { owner: embedding, path: '/embeddings', body: { input: 'Hello' } },
    ];
    for (const { owner, path, body } of asks) {
      const since = world.provider.callers.length;
      const answer = await world.send({ key: owner.key, path, body });
      assert.equal(answer.status, 200, answer.text);
      assertAsked(world, since, owner, path);
    }
  }),
  gatewayCase(
    'tells the provider whose resource it works on, in workers and when it removes one, whatever its kind',
    async (world) => {
      for (const row of kindRows) {
        const owner = await otherCaller(world, row.model);
        const since = world.provider.callers.length;
        const [made] = await finishAll(world, () => Promise.resolve(owner.key), [row]);
        assert.ok(made !== undefined);
        await removeOne(world, made);
        await workThrough(world);
        if (row.deferred) assertAsked(world, since, owner, row.kind);
        else assert.equal(world.provider.callers.length, since, row.kind);
      }
    },
    everyKind,
  ),
  gatewayCase(
    'tells the provider whose file it copies and removes',
    async (world) => {
      const owner = await otherCaller(world, suiteModel);
      const since = world.provider.callers.length;
      const file = createdJson(await upload(world, undefined, { key: owner.key }));
      await deleteFile(world, file.at('id').text(), { key: owner.key });
      await world.runJobs();
      assert.ok(world.provider.callers.length >= since + 2, 'the copy was made and removed');
      assertAsked(world, since, owner, 'file');
    },
    copying,
  ),
  gatewayCase('tells the provider whose session it holds', async (world) => {
    const client = await liveClient(world);
    const { upstream } = await client.open();
    assert.deepEqual(idsOf(upstream.caller), idsOf(client));
    upstream.end({ cause: 'ended', measured: true });
  }),
];
