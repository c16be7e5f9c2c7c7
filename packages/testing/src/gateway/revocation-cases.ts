import assert from 'node:assert/strict';
import { okJson, type Json } from './answer.ts';
import { batchClient, batchOf, batchSettings } from './batch-ask.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { Caller, GatewayWorld } from './gateway-world.ts';
import { generate, helloBody, streamGenerate } from './generate-ask.ts';
import { agentModel, functionCall, interactionClient, stepsOf, withJobs } from './interaction-ask.ts';
import { accessFrame, liveClient, nextJson, until } from './live-ask.ts';
import { doomed, revoke, availability } from './revocation-ask.ts';
import { plainAnswerMicros } from './suite-tariff.ts';
import { telling } from './telling-tool.ts';
import { createdTrigger, hourly, runsOf, workNextHour } from './trigger-ask.ts';
import { videoBody, videoMicros, videoModel, workThrough } from './video-ask.ts';

type End = readonly [code: string, end: (world: GatewayWorld, caller: Caller) => Promise<unknown>];

/** Every way in which access ends, and the code that says so. */
const endings: readonly End[] = [
  ['invalid_api_key', (world, { keyId }) => world.admin.setKeyStatus(keyId, 'revoked')],
  ['ai_key_inactive', (world, { keyId }) => world.admin.setKeyStatus(keyId, 'inactive')],
  ['project_paused', (world, { projectId }) => world.admin.setProjectStatus(projectId, 'paused')],
  ['access_blocked', (world, { projectId }) => world.admin.setProjectStatus(projectId, 'blocked')],
  ['access_blocked', (world, { accountId }) => world.admin.setAccountStatus(accountId, 'blocked')],
  ['ai_contract_inactive', (world, { accountId }) => world.admin.setAccountStatus(accountId, 'inactive')],
];

const createdBy = async (world: GatewayWorld, path: string, key: string, body: unknown): Promise<string> =>
  okJson(await world.send({ key, path, body }))
    .at('id')
    .text();

const read = async (world: GatewayWorld, path: string): Promise<Json> => okJson(await world.send({ path }));

const liveCases: readonly GatewayCase[] = [
  gatewayCase('closes a session with 4401 however its access ended, and charges what was used', async (world) => {
    for (const [code, end] of endings) {
      const accountId = await world.createAccount(100_000_000n);
      const client = await liveClient(world, undefined, await world.createProject(accountId));
      const { socket, upstream, id } = await client.open();
      upstream.use({ input_text_tokens: 100 });
      await end(world, client);
      world.time.advance(15_000);
      const notice = await nextJson(socket);
      assert.deepEqual([notice.at('goAway', 'timeLeft').value, notice.at('error', 'code').value], ['0s', code]);
      assert.equal(await socket.closed, 4401);
      await until('the session is settled', async () => (await world.admin.readOperation(id))?.endedAtMs !== null);
      assert.deepEqual(await availability(world, id), ['completed', 100_000n, 0n, null]);
    }
  }),
  gatewayCase('opens no socket for an access whose key was revoked since it was given', async (world) => {
    const client = await liveClient(world);
    const access = await client.created();
    await revoke(world, client);
    const socket = await world.socket();
    socket.send(accessFrame(access));
    assert.equal((await nextJson(socket)).at('error', 'code').value, 'invalid_api_key');
    assert.equal(await socket.closed, 4401);
    assert.deepEqual(world.provider.live.sessions, []);
    world.time.advance(60_000);
    await world.runJobs();
    assert.deepEqual((await availability(world, access.at('id').text())).slice(0, 3), ['failed', 0n, 0n]);
  }),
  gatewayCase('ends a session that has been open for four hours', async (world) => {
    const { socket } = await (await liveClient(world)).open();
    world.time.advance(4 * 3_600_000);
    assert.deepEqual((await nextJson(socket)).at('goAway').value, { timeLeft: '0s' });
    assert.equal(await socket.closed, 1000);
  }),
];

const interactionCases: readonly GatewayCase[] = [
  gatewayCase(
    'starts neither the tool nor the next round of an interaction whose key was revoked, and charges what was consumed',
    async (world) => {
      const client = await interactionClient(world);
      const { promise, resolve } = Promise.withResolvers<void>();
      const functionCalls = [functionCall('web_search', { query: 'q' })];
      world.provider.script({
        kind: 'wait',
        until: promise,
        next: { kind: 'answer', generation: { text: '', functionCalls } },
      });
      const id = await client.created({ input: 'Hello', tools: [{ type: 'web_search' }] });
      const working = world.runJobs();
      await world.provider.received(1);
      await revoke(world, client);
      resolve();
      await working;
      await workThrough(world);
      assert.equal(world.provider.calls.length, 1);
      const record = await read(world, `/interactions/${id}`);
      assert.deepEqual(
        stepsOf(record).map((step) => step.at('type').value),
        ['web_search_call', 'web_search_result'],
      );
      assert.deepEqual(
        [record.at('result', 'status').value, stepsOf(record)[1]?.at('is_error').value],
        ['incomplete', true],
      );
      assert.deepEqual(await availability(world, id), ['completed', plainAnswerMicros, 0n, null]);
    },
    { tools: { web_search: telling('web_search') } },
  ),
  gatewayCase(
    'ends an interaction at its provider when its key was revoked',
    async (world) => {
      const client = await interactionClient(world, agentModel);
      world.provider.scriptPolls({ kind: 'answer', jobProgress: { kind: 'running' } });
      const id = await client.created();
      await world.runJobs();
      await revoke(world, client);
      await workThrough(world);
      assert.equal(world.provider.interactionLog.cancelled.length, 1);
      const [state, chargedMicros, holdMicros] = await availability(world, id);
      assert.deepEqual([state, holdMicros], ['completed', 0n]);
      assert.ok(typeof chargedMicros === 'bigint' && chargedMicros > 0n);
    },
    withJobs,
  ),
];

const batchCases: readonly GatewayCase[] = [
  gatewayCase(
    'starts no further item of a batch whose key was revoked; those left fail without a charge',
    async (world) => {
      const caller = await doomed(world);
      const { promise, resolve } = Promise.withResolvers<void>();
      // As many as are carried out at once.
      const running = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
      world.provider.script(
        ...running.map(() => ({ kind: 'wait', until: promise, next: { kind: 'answer' } }) as const),
      );
      const id = await batchClient(world, caller.key).created(batchOf(...running, 'i', 'j'));
      const working = world.runJobs();
      await world.provider.received(running.length);
      await revoke(world, caller);
      resolve();
      await working;
      assert.equal(world.provider.calls.length, running.length);
      const results = await batchClient(world).results(id);
      for (const key of ['i', 'j']) {
        const result = results.get(key);
        assert.deepEqual(
          [result?.at('status').value, result?.at('error', 'code').value],
          ['failed', 'invalid_api_key'],
        );
      }
      assert.deepEqual(await availability(world, id), ['completed', 80_000n, 0n, null]);
    },
    batchSettings,
  ),
  gatewayCase(
    'ends a batch at its provider when its key was revoked',
    async (world) => {
      const caller = await doomed(world);
      world.provider.scriptPolls({ kind: 'answer', jobProgress: { kind: 'running' } });
      const id = await batchClient(world, caller.key).created(batchOf('a', 'b'));
      await world.runJobs();
      await revoke(world, caller);
      await workThrough(world);
      assert.equal(world.provider.batchLog.cancelled.length, 1);
      assert.deepEqual(await availability(world, id), ['completed', 20_000n, 0n, null]);
    },
    { ...batchSettings, batchSteps: [] },
  ),
];

/** What was submitted is carried to its end and charged: it cannot be taken back. */
const underWayCases: readonly GatewayCase[] = [
  gatewayCase('settles a video that was being made when its key was revoked', async (world) => {
    const caller = await doomed(world, videoModel);
    world.provider.scriptPolls({ kind: 'answer', jobProgress: { kind: 'running' } });
    const id = await createdBy(world, '/videos', caller.key, videoBody);
    await world.runJobs();
    await revoke(world, caller);
    await workThrough(world);
    assert.deepEqual(await availability(world, id), ['completed', videoMicros, 0n, null]);
    assert.equal((await read(world, `/videos/${id}`)).at('result', 'videos').list().length, 1);
  }),
  gatewayCase('delivers and charges what was under way when its key was revoked, streamed or not', async (world) => {
    for (const [place, ask] of [generate, streamGenerate].entries()) {
      const caller = await doomed(world);
      const { promise, resolve } = Promise.withResolvers<void>();
      world.provider.script({ kind: 'wait', until: promise, next: { kind: 'answer' } });
      const asking = ask(world, helloBody, { key: caller.key });
      await world.provider.received(place + 1);
      await revoke(world, caller);
      resolve();
      const answer = await asking;
      assert.equal(answer.status, 200);
      assert.ok(answer.text.includes('Scripted'));
      const [operation] = await world.admin.listOperations({ kind: 'project', projectId: world.projectId });
      assert.deepEqual([operation?.state, operation?.chargedMicros], ['completed', plainAnswerMicros]);
      assert.equal((await ask(world, helloBody, { key: caller.key })).status, 401);
      assert.equal(world.provider.calls.length, place + 1);
    }
  }),
  gatewayCase('runs no schedule of a key that was revoked', async (world) => {
    const caller = await doomed(world);
    const id = (await createdTrigger(world, hourly, { key: caller.key })).at('id').text();
    await revoke(world, caller);
    await workNextHour(world);
    const [run] = await runsOf(world, id);
    assert.deepEqual(
      ['status', 'error_code', 'request_id'].map((name) => run?.at(name).value),
      ['failed', 'invalid_api_key', null],
    );
    assert.deepEqual(world.provider.calls, []);
  }),
];

/** What revoking access stops, and when: docs/concepts/revocation.md row by row. */
export const revocationCases: readonly GatewayCase[] = [
  ...liveCases,
  ...interactionCases,
  ...batchCases,
  ...underWayCases,
];
