import { expect, test } from 'vitest';
import { breathe, createEngineWorld } from '../../test/engine-world.ts';
import { parseTariff } from '../ledger/tariff.ts';
import { liveLedger } from './live-ledger.ts';

test('holds for what was used rounded up, so that a charge is never above its hold [live:reservation:renewed]', async () => {
  const tariff = parseTariff({ version: 'v1', models: { model: { perMillion: { input_text_tokens: '0.9' } } } });
  const world = await createEngineWorld(100n, { tariff });
  void world.run({
    estimate: [{ unit: 'input_text_tokens', quantity: 11 }],
    execute: () => new Promise(() => {}),
  });
  await breathe();
  const [operation] = await world.admin.listOperations({ kind: 'account', accountId: world.accountId });
  expect(operation).toMatchObject({ state: 'processing', holdMicros: 10n });
  if (operation === undefined) return;
  // 5.4 micro-credits are used, of 10: what is left covers no piece that is as expensive as 6.
  const usage = [{ unit: 'input_text_tokens', quantity: 6, confirmed: true }] as const;
  expect(await liveLedger(world.engine, operation).recordUse({ usage, seconds: 0, sentMicros: 0n })).toMatchObject({
    kind: 'covered',
  });
  expect(await world.admin.readWallet(world.accountId)).toMatchObject({ reservedMicros: 22n });
  // Time that has no price is no meter.
  expect(await world.admin.readOperation(operation.id)).toMatchObject({
    usage: [{ unit: 'input_text_tokens', quantity: 6 }],
  });
});

test('holds ahead for the most input that a turn has sent, not for that of the last one', async () => {
  const world = await createEngineWorld(1_000n);
  void world.run({
    estimate: [{ unit: 'input_text_tokens', quantity: 100 }],
    execute: () => new Promise(() => {}),
  });
  await breathe();
  const [operation] = await world.admin.listOperations({ kind: 'account', accountId: world.accountId });
  if (operation === undefined) throw new Error('no operation');
  const ledger = liveLedger(world.engine, operation);
  const turn = async (quantity: number, sentMicros: bigint): Promise<bigint | undefined> => {
    const usage = [{ unit: 'input_text_tokens', quantity, confirmed: true }] as const;
    expect(await ledger.recordUse({ usage, seconds: 0, sentMicros })).toMatchObject({ kind: 'covered' });
    return (await world.admin.readWallet(world.accountId))?.reservedMicros;
  };
  expect(await turn(10, 30n)).toBe(100n);
  expect(await turn(15, 3n)).toBe(100n);
  // 25 used, 50 in reserve and 30 as in the first turn, and a period of 100 more.
  expect(await turn(25, 0n)).toBe(205n);
});
