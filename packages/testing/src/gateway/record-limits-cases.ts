import assert from 'node:assert/strict';
import { okJson } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { aliceOf, scriptedHost, signedIn, signedInChat } from './host-caller.ts';
import { scriptedLimiter } from './scripted-limiter.ts';

const limiter = scriptedLimiter();
const signedInLimiter = scriptedLimiter();
const host = scriptedHost();

const ofKey = { requestsPerMinute: 7 };
const ofProject = { requestsPerMinute: 60, concurrentRequests: 4 };
const ofAccount = { tokensPerMinute: 90_000 };

const none = { requests_per_minute: null, tokens_per_minute: null, concurrent_requests: null };

/** The limits that the limiter was asked about last. */
const asked = ({ keyId }: Pick<GatewayWorld, 'keyId'>) => limiter.notesOf(keyId).questions.at(-1)?.limits;

const limitProjectAndAccount = async ({ admin, projectId, accountId }: GatewayWorld): Promise<void> => {
  await admin.changeProject(projectId, { limits: ofProject });
  await admin.changeAccount(accountId, { limits: ofAccount });
};

/** Limits in the records of projects and accounts. */
export const recordLimitsCases: readonly GatewayCase[] = [
  gatewayCase(
    'gives a limiter the limits of key, project and account, and shows them to the key',
    async (world) => {
      await world.admin.changeKey(world.keyId, { limits: ofKey });
      await limitProjectAndAccount(world);
      okJson(await world.chat());
      assert.deepEqual(asked(world), { key: ofKey, project: ofProject, account: ofAccount });
      const shown = okJson(await world.send({ path: '/account/limits' }));
      assert.deepEqual([shown.at('requests_per_minute').value, shown.at('tokens_per_minute').value], [7, null]);
      assert.deepEqual(shown.at('project_limits').value, { ...none, requests_per_minute: 60, concurrent_requests: 4 });
      assert.deepEqual(shown.at('account_limits').value, { ...none, tokens_per_minute: 90_000 });
      const token = await world.admin.createToken({ keyId: world.keyId });
      okJson(await world.chat(undefined, { key: token?.token }));
      assert.deepEqual(asked(world), { key: ofKey, project: ofProject, account: ofAccount });
    },
    { limiter },
  ),
  gatewayCase(
    'a change of the limits of a project or an account holds for the next request, and null takes them off',
    async (world) => {
      const { admin, projectId, accountId } = world;
      okJson(await world.chat());
      assert.equal(asked(world), null);
      await limitProjectAndAccount(world);
      okJson(await world.chat());
      assert.deepEqual(asked(world), { project: ofProject, account: ofAccount });
      await admin.changeProject(projectId, { name: 'Mill' });
      await admin.changeAccount(accountId, { limits: { requestsPerMinute: 5, tokensPerMinute: undefined } });
      okJson(await world.chat());
      assert.deepEqual(asked(world), { project: ofProject, account: { requestsPerMinute: 5 } });
      assert.equal((await admin.changeProject(projectId, { limits: null }))?.limits, null);
      assert.equal((await admin.changeAccount(accountId, { limits: {} }))?.limits, null);
      okJson(await world.chat());
      assert.equal(asked(world), null);
      assert.deepEqual(okJson(await world.send({ path: '/account/limits' })).at('project_limits').value, none);
    },
    { limiter },
  ),
  gatewayCase('projects and accounts are made with limits, and refuse what is no limit by its field', async (world) => {
    const { admin } = world;
    const account = await admin.createAccount({ name: 'Ada', limits: ofAccount });
    const project = await admin.createProject({ accountId: account.id, name: 'Mill', limits: ofProject });
    assert.deepEqual((await admin.readAccount(account.id))?.limits, ofAccount);
    assert.deepEqual((await admin.readProject(project?.id ?? ''))?.limits, ofProject);
    const plain = await admin.createAccount({ name: 'Grace' });
    assert.deepEqual([plain.limits, (await admin.readAccount(plain.id))?.limits], [null, null]);
    await assert.rejects(
      admin.createAccount({ name: 'Ada', limits: { requestsPerMinute: 0 } }),
      /limits\.requestsPerMinute is 0/,
    );
    await assert.rejects(
      admin.changeProject(project?.id ?? '', { limits: { tokensPerMinute: 1.5 } }),
      /limits\.tokensPerMinute is 1\.5/,
    );
    assert.deepEqual((await admin.readProject(project?.id ?? ''))?.limits, ofProject);
  }),
  gatewayCase(
    'keeps the limits of project and account for a caller whose own limits the host names',
    async (world) => {
      await limitProjectAndAccount(world);
      host.restart(aliceOf(world, { keyId: world.keyId, limits: ofKey }));
      okJson(await world.send(signedIn(signedInChat)));
      const { questions } = signedInLimiter.notesOf(world.keyId);
      assert.deepEqual(questions.at(-1)?.limits, { key: ofKey, project: ofProject, account: ofAccount });
    },
    { limiter: signedInLimiter, authenticate: host.authenticate },
  ),
];
