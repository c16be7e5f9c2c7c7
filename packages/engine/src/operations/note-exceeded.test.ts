import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';
import { parseTariff } from '../ledger/tariff.ts';

test('keeps an anomaly of each measure above its hold, once, and of none within', async () => {
  const world = await createEngineWorld();
  await world.run();
  expect(await world.storage.list('anomalies', { of: '', limit: 10 })).toEqual([]);
  const much = [{ unit: 'input_text_tokens', quantity: 60, confirmed: true } as const];
  const id = idOf(await world.run({ measure: () => much }));
  const [anomaly, ...more] = await world.storage.list('anomalies', { of: '', limit: 10 });
  expect(more).toEqual([]);
  expect(anomaly).toMatchObject({
    operationId: id,
    accountId: world.accountId,
    code: 'hold_exceeded',
    detail: { measuredMicros: '60', units: [{ unit: 'input_text_tokens', quantity: 60, micros: '60' }] },
  });
  expect((await world.admin.audit()).violations).toEqual([]);
});

test('settles although the anomaly cannot be kept', async () => {
  const world = await createEngineWorld();
  const errors: string[] = [];
  const logger = { info: () => {}, warn: () => {}, error: (message: string) => void errors.push(message) };
  const storage = {
    ...world.storage,
    transact: ((keys, decide) =>
      keys.length === 1 && keys[0]?.table === 'anomaly'
        ? Promise.reject(new Error('no room'))
        : world.storage.transact(keys, decide)) as typeof world.storage.transact,
  };
  const engine = world.another({ storage, logger });
  const much = [{ unit: 'input_text_tokens', quantity: 60, confirmed: true } as const];
  expect(await world.runOn(engine, { measure: () => much })).toMatchObject({ kind: 'completed' });
  expect(errors).toEqual(['an anomaly could not be kept']);
});

test('names the units of a measure by what they cost, the most expensive first', async () => {
  const perMillion = { input_text_tokens: '1', output_text_tokens: '3', cached_input_tokens: '0.5' };
  const tariff = parseTariff({ version: 'v1', models: { model: { perMillion } } });
  const world = await createEngineWorld(1_000n, { tariff });
  const measured = (unit: keyof typeof perMillion, quantity: number) => ({ unit, quantity, confirmed: true }) as const;
  const usage = [
    measured('cached_input_tokens', 10),
    measured('output_text_tokens', 50),
    measured('input_text_tokens', 60),
  ];
  await world.run({ measure: () => usage });
  const [anomaly] = await world.storage.list('anomalies', { of: '', limit: 10 });
  expect(anomaly?.detail).toMatchObject({
    units: [
      { unit: 'output_text_tokens', micros: '150' },
      { unit: 'input_text_tokens', micros: '60' },
      { unit: 'cached_input_tokens', micros: '5' },
    ],
  });
});
