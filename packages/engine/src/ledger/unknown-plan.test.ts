import { describe, expect, test } from 'vitest';
import { createPriceLists } from './price-lists.ts';
import { parseTariff } from './tariff.ts';
import { notePlanOfAccount, notePlanOfOpening } from './unknown-plan.ts';

const logging = () => {
  const logged: unknown[] = [];
  const log = (_message: string, fields?: object): void => {
    logged.push(fields);
  };
  const lists = [
    parseTariff({ version: 'now', models: {}, plans: { pro: { factor: 1 } } }),
    parseTariff({ version: 'next', models: {}, plans: { team: { factor: 1 } }, validFrom: '2027-01-01T00:00:00Z' }),
  ];
  const priceLists = createPriceLists(lists, () => 0);
  return { engine: { policy: { priceLists }, logger: { info: log, warn: log, error: log } }, logged };
};

const code = 'unknown_plan';

describe('a plan without prices', () => {
  test('is logged once for each list and plan under which an operation is opened', () => {
    const { engine, logged } = logging();
    const open = (plan: string, tariffVersion = 'now', accountId = 'a1') =>
      notePlanOfOpening(engine, { plan, tariffVersion, accountId });
    open('pro');
    expect(logged).toEqual([]);
    open('team');
    open('team', 'now', 'a2');
    open('team', 'next');
    expect(logged).toEqual([{ code, plan: 'team', list: 'now', accountId: 'a1' }]);
    open('pro', 'next');
    open('toString');
    expect(logged.slice(1)).toEqual([
      { code, plan: 'pro', list: 'next', accountId: 'a1' },
      { code, plan: 'toString', list: 'now', accountId: 'a1' },
    ]);
  });

  test('is noted for a bounded number of plans', () => {
    const { engine, logged } = logging();
    for (let number = 0; number < 1_100; number += 1)
      notePlanOfOpening(engine, { plan: `p${number}`, tariffVersion: 'now', accountId: 'a1' });
    expect(logged).toHaveLength(1_000);
  });

  test('is logged when an account is given it, unless a list has it, also a later one', () => {
    const { engine, logged } = logging();
    for (const plan of ['pro', 'team', null, undefined]) notePlanOfAccount(engine, 'a1', plan);
    expect(logged).toEqual([]);
    notePlanOfAccount(engine, 'a1', 'por');
    expect(logged).toEqual([{ code, plan: 'por', lists: ['now', 'next'], accountId: 'a1' }]);
  });
});
