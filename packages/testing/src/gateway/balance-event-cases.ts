import assert from 'node:assert/strict';
import { assertRefused } from './answer.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { greeting, type Caller, type GatewayWorld } from './gateway-world.ts';
import { suiteModel, suiteRow } from './suite-tariff.ts';

/** Functions of a host that note what they hear of one case, in words. */
const listener = () => {
  const heard: string[] = [];
  return {
    hooks: {
      onLowBalance: (event: { readonly balanceMicros: bigint | null }) => {
        heard.push(`low at ${event.balanceMicros}`);
      },
      onThreshold: (event: { readonly share: number }) => {
        heard.push(`${event.share}% used`);
      },
      lowBalanceMicros: 50_000n,
    },
    heard: (): readonly string[] => heard.splice(0).toSorted(),
  };
};

const ofCorrections = listener();
const ofPayments = listener();
const ofDebts = listener();

/** A greeting reserves little with a model that answers in few tokens. */
const small = { catalog: [suiteRow({ id: suiteModel, maxOutputTokens: 6 })] };

/** A caller of an account with 100,000 micro-credits; null where the host keeps the wallet, whose balance is unknown here. */
const payingCaller = async (world: GatewayWorld): Promise<Caller | null> => {
  if ((await world.admin.readWallet(world.accountId)) === null) return null;
  const accountId = await world.createAccount(100_000n);
  return world.createCaller({ projectId: await world.createProject(accountId), model: suiteModel });
};

/** What functions of a host hear of a balance that goes down by other ways than a settlement. */
export const balanceEventCases: readonly GatewayCase[] = [
  gatewayCase(
    'reports a balance that a compensation takes below the threshold, and no deposit',
    async (world) => {
      const caller = await payingCaller(world);
      if (caller === null) return;
      const { accountId } = caller;
      const change = async (amountMicros: bigint, reference: string) => {
        await world.admin.compensate({ accountId, amountMicros, reference });
        await world.runJobs();
        return ofCorrections.heard();
      };
      assert.deepEqual(await change(-50_000n, 'c-1'), ['50% used']);
      assert.deepEqual(await change(-1n, 'c-2'), ['low at 49999']);
      assert.deepEqual(await change(-1n, 'c-2'), []);
      assert.deepEqual(await change(60_000n, 'c-3'), []);
      assert.deepEqual(await change(-100_000n, 'c-4'), ['80% used', 'low at 9999']);
    },
    { ...small, hooks: ofCorrections.hooks },
  ),
  gatewayCase(
    'reports a balance that a refund of a paid order takes below the threshold',
    async (world) => {
      const caller = await payingCaller(world);
      if (caller === null) return;
      const { accountId } = caller;
      const product = { product: 'pack', creditMicros: 60_000n, price: 600, currency: 'usd' };
      const opened = await world.payments.openOrder({ accountId, reference: 'o-1', ...product });
      assert.ok(opened.kind === 'opened');
      const pay = async (back: number, version: number) => {
        await world.payments.payOrder({
          accountId,
          orderId: opened.order.id,
          paymentId: 'pi-1',
          paid: 600,
          back,
          currency: 'usd',
          version,
          notice: `evt-${version}`,
          shortfall: 'owe',
        });
        await world.runJobs();
        return ofPayments.heard();
      };
      await world.admin.compensate({ accountId, amountMicros: -40_000n, reference: 'c-1' });
      assert.deepEqual(await pay(0, 0), []);
      assert.deepEqual(await pay(600, 1), ['50% used']);
      assert.deepEqual(await pay(0, 2), []);
      await world.admin.compensate({ accountId, amountMicros: -20_000n, reference: 'c-2' });
      assert.deepEqual(await pay(600, 3), ['50% used', 'low at 40000']);
    },
    { ...small, hooks: ofPayments.hooks },
  ),
  gatewayCase(
    'reports a balance that a debt takes below the threshold when it is collected',
    async (world) => {
      const caller = await payingCaller(world);
      if (caller === null) return;
      const { accountId, key } = caller;
      world.provider.script({ kind: 'unknown' });
      const refused = assertRefused(await world.chat(greeting, { key }), 502, 'request_failed');
      const { reservedMicros } = await world.wallet.read(accountId);
      await world.admin.setLowBalance(accountId, reservedMicros);
      await world.admin.compensate({ accountId, amountMicros: -200_000n, reference: 'c-1', shortfall: 'owe' });
      await world.runJobs();
      assert.deepEqual(ofDebts.heard(), ['50% used']);
      await world.admin.resolveOperation(refused.at('request_id').text(), { executed: false });
      assert.deepEqual(await world.wallet.read(accountId), { balanceMicros: reservedMicros, reservedMicros: 0n });
      assert.equal((await world.payments.collectDebt(accountId)).kind, 'done');
      await world.runJobs();
      assert.deepEqual(ofDebts.heard(), ['100% used', 'low at 0']);
    },
    { ...small, hooks: ofDebts.hooks },
  ),
];
