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
});
