import { describe, expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { payOrder } from './pay-order.ts';
import { allowTopUp, beginTopUp, refuseTopUp, topUpPauseMsMax, type TopUpCommand } from './top-up.ts';

const hourMs = 3_600_000;

const command: TopUpCommand = {
  accountId: 'a1',
  product: 'small',
  creditMicros: 5n,
  price: 500,
  currency: 'usd',
  belowMicros: 80n,
  monthPriceMax: 1_200,
};

/** An account with 100 credits, of which 30 are reserved: 70 are free. */
const toppingUp = () => {
  const world = createDecisionWorld();
  world.nowMs = Date.UTC(2026, 10, 25);
  const record = () => world.get('topUp', 'a1');
  const begin = (change: Partial<TopUpCommand> = {}) =>
    world.step(beginTopUp({ ...command, ...change }, record()?.begun ?? 0));
  const underWay = () => record()?.orderId ?? '';
  const refuse = (stoppedBy: string | null = null) =>
    world.step(refuseTopUp({ accountId: 'a1', orderId: underWay(), price: 500, stoppedBy }));
  const pay = (paymentId: string) => {
    const asked = { accountId: 'a1', orderId: underWay(), paymentId, paid: 500, back: 0, currency: 'usd' } as const;
    return world.step(payOrder({ ...asked, version: 0, notice: 'evt', shortfall: 'owe' }));
  };
  return { world, record, begin, refuse, pay };
};

describe('a top-up', () => {
  test('begins where the free balance is below, and not at it', () => {
    const { begin } = toppingUp();
    expect(begin({ belowMicros: 70n })).toEqual({ kind: 'enough', freeMicros: 70n });
    expect(begin({ belowMicros: 71n })).toMatchObject({ kind: 'begun', order: { id: 'topup:a1:1', price: 500 } });
  });

  test('is one at a time, and comes back to the one under way', () => {
    const { begin, world, record } = toppingUp();
    begin();
    expect(begin()).toMatchObject({ kind: 'resumed', order: { id: 'topup:a1:1' } });
    expect(world.step(beginTopUp(command, 0))).toEqual({ kind: 'again' });
    expect(record()).toMatchObject({ begun: 1, monthPrice: 500 });
  });

  test('is over in the step that credits its payment', () => {
    const { begin, pay, record } = toppingUp();
    begin();
    expect(pay('pi_1')).toMatchObject({ kind: 'done', wallet: { balanceMicros: 105n } });
    expect(record()).toMatchObject({ orderId: null, refusals: 0 });
    expect(begin()).toMatchObject({ kind: 'begun', order: { id: 'topup:a1:2' } });
  });

  test('stays within the month, and a new month begins at nothing', () => {
    const { begin, pay, world } = toppingUp();
    begin();
    pay('pi_1');
    begin();
    pay('pi_2');
    const more = { belowMicros: 200n };
    expect(begin(more)).toEqual({ kind: 'month_full', monthPrice: 1_000 });
    world.nowMs = Date.UTC(2026, 11, 1);
    expect(begin(more)).toMatchObject({ kind: 'begun' });
  });

  test('waits twice as long after each refusal, up to three days, and a refused price is free again', () => {
    const { begin, refuse, world, record } = toppingUp();
    const waits: number[] = [];
    for (let refusals = 1; refusals <= 9; refusals += 1) {
      expect(begin()).toMatchObject({ kind: 'begun' });
      refuse();
      const untilMs = record()?.waitUntilMs ?? 0;
      waits.push((untilMs - world.nowMs) / hourMs);
      expect(begin()).toEqual({ kind: 'waiting', untilMs });
      world.nowMs = untilMs;
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 72, topUpPauseMsMax / hourMs]);
    expect(record()).toMatchObject({ refusals: 9, monthPrice: 0 });
  });

  test('stops where its customer must act, until it is allowed again', () => {
    const { begin, refuse, world } = toppingUp();
    begin();
    expect(refuse('pi_1')).toMatchObject({ kind: 'stopped' });
    world.nowMs += 30 * 24 * hourMs;
    expect(begin()).toEqual({ kind: 'stopped', paymentId: 'pi_1' });
    expect(world.step(allowTopUp('a1'))).toMatchObject({ stoppedBy: null, refusals: 0 });
    expect(begin()).toMatchObject({ kind: 'begun' });
  });

  test('ends once: a refusal of one that was paid changes nothing', () => {
    const { begin, pay, world, record } = toppingUp();
    begin();
    pay('pi_1');
    const before = record();
    expect(world.step(refuseTopUp({ accountId: 'a1', orderId: 'topup:a1:1', price: 500, stoppedBy: null }))).toEqual({
      kind: 'ended',
    });
    expect(record()).toEqual(before);
  });

  test('does not begin for an account that is not let in, or is not there', () => {
    const { begin, world } = toppingUp();
    world.put('account', {
      id: 'a1',
      name: '',
      status: 'blocked',
      metadata: {},
      closedAtMs: null,
      limits: null,
      plan: null,
      createdAtMs: 1,
    });
    expect(begin()).toEqual({ kind: 'inactive', status: 'blocked' });
    expect(begin({ accountId: 'a9' })).toEqual({ kind: 'missing' });
    expect(world.step(allowTopUp('a9'))).toBeNull();
  });
});
