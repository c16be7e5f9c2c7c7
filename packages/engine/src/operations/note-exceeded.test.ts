import { expect, test } from 'vitest';
import { createEngineWorld, idOf } from '../../test/engine-world.ts';

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
