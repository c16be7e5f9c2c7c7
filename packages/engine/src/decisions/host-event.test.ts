import { describe, expect, test } from 'vitest';
import type { OperationRecord } from '@tollgate/storage';
import {
  captureCommand,
  createDecisionWorld,
  depositCommand,
  failCommand,
  markUncertainCommand,
  operationRecord,
  settleCommand,
} from '../../test/decision-world.ts';
import { capture } from './capture.ts';
import { collectDebt, depositStep } from './deposit.ts';
import { fail } from './fail.ts';
import { hostEventKinds, type HostEventKind, type HostEvents } from './host-event.ts';
import { makeMove } from './host-moves.ts';
import { markUncertainStep } from './mark-uncertain.ts';
import { payOrder, type OrderPaymentCommand } from './pay-order.ts';
import { openOrder } from './payment-order.ts';
import { settle } from './settle.ts';

const events = (change: Partial<HostEvents> = {}): HostEvents => ({
  eventId: 'e1',
  kinds: new Set(hostEventKinds),
  lowBalanceMicros: 90n,
  shares: [50, 80, 100],
  ...change,
});

const worldOf = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(operationRecord({ tags: { customer: 'c1' }, ...operation }));
  const event = (kind: HostEventKind, id = 'e1') => world.get('hostEvent', `${id}:${kind}`);
  const kinds = (id = 'e1') => hostEventKinds.filter((kind) => event(kind, id) !== undefined);
  return { world, event, kinds };
};

describe('events of a settlement', () => {
  test('tell of the charge, the balance after it and the tags, in the step that settles', () => {
    const { world, event } = worldOf();
    world.step(settle(settleCommand({ hostEvents: events({ lowBalanceMicros: null }) })));
    expect(event('settled')).toEqual({
      id: 'e1:settled',
      kind: 'settled',
      accountId: 'a1',
      operationId: 'o1',
      facts: {
        projectId: 'p1',
        keyId: 'k1',
        operationKind: 'chat_completion',
        model: 'm',
        askedModel: null,
        chargedMicros: '20',
        balanceMicros: '80',
        tags: { customer: 'c1' },
      },
      attempts: 0,
      owner: null,
      dueAtMs: 1_000,
      createdAtMs: 1_000,
    });
  });

  test('are none where the gateway writes none, and only those that it writes', () => {
    const off = worldOf();
    const rows = off.world.rows();
    const { keys } = settle(settleCommand());
    off.world.step(settle(settleCommand()));
    // The answer, the state of a call, the entry of the debit and the line of usage.
    expect(off.world.rows()).toBe(rows + 4);
    expect(keys.some(({ table }) => table === 'hostEvent' || table === 'balanceAlert')).toBe(false);
    const some = worldOf();
    some.world.step(settle(settleCommand({ hostEvents: events({ kinds: new Set(['low_balance']) }) })));
    expect(some.kinds()).toEqual(['low_balance']);
  });

  test('tell of a balance below the threshold once for each crossing, and again after a deposit lifted it', () => {
    const { world, kinds, event } = worldOf();
    const spend = (id: string) => {
      world.put('operation', operationRecord({ id, holdMicros: 0n }));
      const hostEvents = events({ eventId: id, kinds: new Set(['low_balance']) });
      world.step(settle(settleCommand({ operationId: id, hostEvents, anomalyId: `x-${id}`, evidence: null })));
      return kinds(id);
    };
    world.put('wallet', { ...world.wallet(), reservedMicros: 0n });
    expect([spend('o2'), spend('o3')]).toEqual([['low_balance'], []]);
    expect(event('low_balance', 'o2')?.facts).toMatchObject({ thresholdMicros: '90', balanceMicros: '80' });
    world.step(depositStep(depositCommand()));
    expect([spend('o4'), spend('o5')]).toEqual([[], ['low_balance']]);
  });

  test('compare with the threshold of the account where it has one', () => {
    const { world, kinds } = worldOf();
    world.put('balanceAlert', { id: 'a1', lowBalanceMicros: 10n, toppedMicros: 0n });
    world.step(settle(settleCommand({ hostEvents: events() })));
    expect(kinds()).toEqual(['settled']);
  });

  test('tell of the highest share of the last top-up that is used up', () => {
    const { world, event } = worldOf();
    world.put('balanceAlert', { id: 'a1', lowBalanceMicros: null, toppedMicros: 100n });
    world.step(settle(settleCommand({ measuredMicros: 85n, hostEvents: events() })));
    expect(event('threshold')?.facts).toMatchObject({ share: 80, toppedMicros: '100', balanceMicros: '15' });
  });

  test('are written once, however often the step is sent', () => {
    const { world, kinds } = worldOf();
    world.step(settle(settleCommand({ hostEvents: events() })));
    world.step(settle(settleCommand({ hostEvents: events({ eventId: 'e2' }) })));
    expect([kinds(), kinds('e2')]).toEqual([['settled', 'low_balance'], []]);
  });

  test('tell that it waits for balance, once', () => {
    const { world, event, kinds } = worldOf();
    const beyond = { measuredMicros: 500n };
    world.step(settle(settleCommand({ ...beyond, hostEvents: events() })));
    expect(kinds()).toEqual(['uncertain']);
    expect(event('uncertain')?.facts).toMatchObject({ heldMicros: '30', isPaymentPending: true });
    world.step(settle(settleCommand({ ...beyond, evidence: null, hostEvents: events({ eventId: 'e2' }) })));
    expect(kinds('e2')).toEqual([]);
  });

  test('tell of a measure that contradicts the end', () => {
    const { world, event, kinds } = worldOf({ state: 'failed', endedAtMs: 900, holdMicros: 0n });
    world.step(settle(settleCommand({ hostEvents: events() })));
    expect(kinds()).toEqual(['anomaly']);
    expect(event('anomaly')?.facts).toMatchObject({
      code: 'late_settle_after_failure',
      detail: { measuredMicros: '20' },
    });
  });
});

describe('events of other steps', () => {
  test('tell that an outcome is unknown, once', () => {
    const { world, event, kinds } = worldOf();
    world.step(markUncertainStep(markUncertainCommand({ hostEvents: events() })));
    expect(event('uncertain')?.facts).toMatchObject({ heldMicros: '30', isPaymentPending: false, balanceMicros: null });
    world.step(markUncertainStep(markUncertainCommand({ hostEvents: events({ eventId: 'e2' }) })));
    expect(kinds('e2')).toEqual([]);
  });

  test('tell nothing of a failure, but of one that contradicts a settlement', () => {
    const failed = worldOf();
    failed.world.step(fail(failCommand({ hostEvents: events() })));
    expect(failed.kinds()).toEqual([]);
    const late = worldOf({ state: 'completed', endedAtMs: 900, holdMicros: 0n });
    late.world.step(fail(failCommand({ hostEvents: events() })));
    expect(late.event('anomaly')?.facts).toMatchObject({ code: 'late_failure_after_settlement' });
  });

  test('tell of a compensation that takes the balance below its threshold; a refused one tells nothing', () => {
    const { world, event, kinds } = worldOf();
    const take = { kind: 'compensation', amountMicros: -90n, hostEvents: events() } as const;
    expect(world.step(depositStep(depositCommand(take))).kind).toBe('insufficient');
    expect(kinds()).toEqual([]);
    world.step(depositStep(depositCommand({ ...take, amountMicros: -20n })));
    expect(event('low_balance')).toMatchObject({ operationId: null, facts: { balanceMicros: '80', model: null } });
  });

  test('tell of a capture that takes the balance below its threshold, with the operation', () => {
    const { world, event, kinds } = worldOf();
    world.step(capture(captureCommand({ amountMicros: 10n, hostEvents: events() })));
    expect(kinds()).toEqual([]);
    world.step(capture(captureCommand({ sequence: 2, amountMicros: 10n, hostEvents: events() })));
    expect(event('low_balance')).toMatchObject({ operationId: 'o1', facts: { balanceMicros: '80', model: 'm' } });
    world.step(capture(captureCommand({ sequence: 2, amountMicros: 10n, hostEvents: events({ eventId: 'e2' }) })));
    expect(kinds('e2')).toEqual([]);
  });

  test('tell of a refund of a paid order that takes the balance below its threshold, and not of the payment', () => {
    const { world, event, kinds } = worldOf();
    const ordered = { accountId: 'a1', reference: 'o1', product: 'p', creditMicros: 60n, price: 500, currency: 'usd' };
    world.step(openOrder(ordered));
    const pay = (change: Partial<OrderPaymentCommand>, eventId: string) => {
      const paid = { accountId: 'a1', orderId: 'order:a1:o1', paymentId: 'pi', paid: 500, back: 0, currency: 'usd' };
      const command = { ...paid, version: 0, notice: 'n', shortfall: 'owe', ...change } as const;
      return world.step(payOrder(command, events({ eventId, lowBalanceMicros: 110n }))).kind;
    };
    expect([pay({}, 'e1'), kinds('e1')]).toEqual(['done', []]);
    expect([pay({ back: 500, version: 1 }, 'e2'), kinds('e2')]).toEqual(['done', ['low_balance']]);
    expect(event('low_balance', 'e2')).toMatchObject({ operationId: null, facts: { balanceMicros: '100' } });
    expect([pay({ back: 500, version: 1 }, 'e3'), kinds('e3')]).toEqual(['repeated', []]);
  });

  test('tell of a collected debt that takes the balance below its threshold', () => {
    const { world, event, kinds } = worldOf();
    world.put('debt', { id: 'a1', owedMicros: 40n });
    world.step(collectDebt('a1', events()));
    expect(event('low_balance')).toMatchObject({ operationId: null, facts: { balanceMicros: '60' } });
    expect(world.step(collectDebt('a1', events({ eventId: 'e2' }))).kind).toBe('none');
    expect(kinds('e2')).toEqual([]);
  });

  test('tell of a deposit whose credits go to a debt together with others', () => {
    const { world, event } = worldOf();
    world.put('debt', { id: 'a1', owedMicros: 70n });
    world.step(depositStep(depositCommand({ amountMicros: 5n, hostEvents: events() })));
    expect(event('low_balance')?.facts).toMatchObject({ balanceMicros: '35' });
  });

  test('count shares from the balance after the last deposit', () => {
    const { world } = worldOf();
    world.step(depositStep(depositCommand()));
    expect(world.get('balanceAlert', 'a1')).toEqual({ id: 'a1', lowBalanceMicros: null, toppedMicros: 150n });
    world.step(depositStep(depositCommand({ kind: 'compensation', reference: 'r2', amountMicros: 5n })));
    expect(world.get('balanceAlert', 'a1')?.toppedMicros).toBe(150n);
  });

  test('tell of the settlement by a wallet of the host, whose balance is unknown', () => {
    const { world, event, kinds } = worldOf({ state: 'settling', pendingMicros: 20n });
    const move = { kind: 'complete', chargedMicros: 20n, answerKeptMs: 1 } as const;
    world.step(makeMove({ operationId: 'o1', accountId: 'a1', move, hostEvents: events() }));
    expect(kinds()).toEqual(['settled']);
    expect(event('settled')?.facts).toMatchObject({ chargedMicros: '20', balanceMicros: null });
    const waits = worldOf({ state: 'settling', pendingMicros: 20n });
    const wait = { kind: 'wait', retryMs: 1 } as const;
    waits.world.step(makeMove({ operationId: 'o1', accountId: 'a1', move: wait, hostEvents: events() }));
    expect(waits.kinds()).toEqual(['uncertain']);
  });
});
