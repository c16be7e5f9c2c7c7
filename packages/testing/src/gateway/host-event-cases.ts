import assert from 'node:assert/strict';
import type { HostEventOptions } from '@tollgate/engine';
import { assertRefused, okJson, requestIdOf } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewaySettings } from './gateway-under-test.ts';
import { greeting, type Caller, type GatewayWorld } from './gateway-world.ts';
import { plainAnswerMicros, suiteModel, suiteRow } from './suite-tariff.ts';

type HostEvent = Parameters<NonNullable<HostEventOptions['hooks']['settled']>>[0];
type Heard = { readonly kind: string } & HostEvent & { readonly [more: string]: unknown };

/** Functions of a host that note each event, and fail as often as a case has them. */
const listener = () => {
  const heard: Heard[] = [];
  let failures = 0;
  const hear =
    (kind: string) =>
    (event: HostEvent): void => {
      heard.push({ ...event, kind });
      if (failures === 0) return;
      failures -= 1;
      throw new Error('no database');
    };
  return {
    hooks: {
      onRequest: () => ({ tags: { customer: 'c-1' } }),
      onSettled: hear('settled'),
      onLowBalance: hear('low_balance'),
      onThreshold: hear('threshold'),
      onUncertain: hear('uncertain'),
      onAnomaly: hear('anomaly'),
      lowBalanceMicros: 50_000n,
    },
    fail: (times: number): void => {
      failures = times;
    },
    heard: (): readonly Heard[] => heard.splice(0),
  };
};

type Listener = ReturnType<typeof listener>;

const settledOnes = listener();
const crossings = listener();
const unsettled = listener();
const stubborn = listener();

/** A greeting reserves little with a model that answers in few tokens. */
const small = { catalog: [suiteRow({ id: suiteModel, maxOutputTokens: 6 })] };

const settingsOf = ({ hooks }: Listener): GatewaySettings => ({ ...small, hooks });

/** A caller of an account that can pay for so many plain answers, and what the greeting reserves beyond one. */
const callerFor = async (world: GatewayWorld, amountMicros: bigint): Promise<Caller> => {
  const accountId = await world.createAccount(amountMicros);
  return world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
};

const namesOf = (heard: readonly Heard[]): readonly string[] => heard.map(({ kind }) => kind).toSorted();

/** Whether the wallet is the gateway's own: of one that the host keeps, no balance is known. */
const ownWallet = async (world: GatewayWorld): Promise<boolean> =>
  (await world.admin.readWallet(world.accountId)) !== null;

/** What functions of a host hear of credits. */
export const hostEventCases: readonly GatewayCase[] = [
  gatewayCase(
    'reports each settlement to the host once, with its charge, its balance and its tags, and no failure',
    async (world) => {
      const answer = await world.chat();
      okJson(answer);
      await world.runJobs();
      const [event, ...more] = settledOnes.heard();
      assert.ok(event !== undefined && more.length === 0);
      const { id, atMs, balanceMicros, ...facts } = event;
      assert.deepEqual(facts, {
        kind: 'settled',
        accountId: world.accountId,
        projectId: world.projectId,
        keyId: world.keyId,
        requestId: requestIdOf(answer),
        operationKind: 'chat',
        model: suiteModel,
        askedModel: null,
        chargedMicros: plainAnswerMicros,
        tags: { customer: 'c-1' },
      });
      assert.ok(id.length > 0 && atMs > 0);
      assert.equal(balanceMicros, (await ownWallet(world)) ? 1_000_000_000n - plainAnswerMicros : null);
      world.provider.script({ kind: 'not_executed', reason: 'unavailable' });
      assertRefused(await world.chat(), 503, 'service_unavailable');
      world.time.advance(120_000);
      await world.runJobs();
      assert.deepEqual(settledOnes.heard(), []);
    },
    settingsOf(settledOnes),
  ),
  gatewayCase(
    'reports a low balance and used shares once for each crossing, and again after a deposit',
    async (world) => {
      const { key, accountId } = await callerFor(world, 100_000n);
      const spend = async (): Promise<readonly string[]> => {
        okJson(await world.chat(greeting, { key }));
        await world.runJobs();
        const heard = crossings.heard();
        for (const event of heard) assert.equal(event.accountId, accountId);
        return heard.map(({ kind, share }) => (typeof share === 'number' ? `${kind} ${share}` : kind)).toSorted();
      };
      // From 100,000 by 20,000 each time.
      assert.deepEqual(await spend(), ['settled']);
      assert.deepEqual(await spend(), ['settled']);
      if (!(await ownWallet(world))) return assert.deepEqual(await spend(), ['settled']);
      assert.deepEqual(await spend(), ['low_balance', 'settled', 'threshold 50']);
      await world.admin.setLowBalance(accountId, 30_000n);
      assert.deepEqual(await spend(), ['low_balance', 'settled', 'threshold 80']);
      await world.wallet.deposit(accountId, 30_000n);
      assert.deepEqual(await spend(), ['settled']);
      await world.admin.setLowBalance(accountId, null);
      await world.wallet.deposit(accountId, 30_000n);
      assert.deepEqual(await spend(), ['low_balance', 'settled']);
    },
    settingsOf(crossings),
  ),
  gatewayCase(
    'reports an operation that becomes uncertain, and later its settlement',
    async (world) => {
      world.provider.script({ kind: 'unknown' });
      const refused = assertRefused(await world.chat(), 502, 'request_failed');
      const id = refused.at('request_id').text();
      await world.runJobs();
      const [event, ...more] = unsettled.heard();
      assert.ok(event !== undefined && more.length === 0);
      assert.deepEqual(
        { kind: event.kind, requestId: event.requestId, tags: event.tags },
        { kind: 'uncertain', requestId: id, tags: { customer: 'c-1' } },
      );
      assert.ok(typeof event['heldMicros'] === 'bigint' && event['heldMicros'] > 0n);
      await world.admin.resolveOperation(id, { executed: true, amountMicros: 7n });
      await world.runJobs();
      assert.deepEqual(
        unsettled.heard().map(({ kind, requestId, chargedMicros }) => ({ kind, requestId, chargedMicros })),
        [{ kind: 'settled', requestId: id, chargedMicros: 7n }],
      );
    },
    settingsOf(unsettled),
  ),
  gatewayCase(
    'loses no event to a gateway that ends before its functions, nor to a function that fails',
    async (world) => {
      okJson(await world.chat());
      await world.reopen();
      stubborn.fail(2);
      await world.runJobs();
      world.time.advance(10_000);
      await world.runJobs();
      world.time.advance(600_000);
      await world.runJobs();
      world.time.advance(3_600_000);
      await world.runJobs();
      const heard = stubborn.heard();
      assert.deepEqual(namesOf(heard), ['settled', 'settled', 'settled']);
      assert.equal(new Set(heard.map(({ id }) => id)).size, 1);
    },
    settingsOf(stubborn),
  ),
];
