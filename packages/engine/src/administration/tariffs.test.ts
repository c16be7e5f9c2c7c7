import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';
import { parseTariff } from '../ledger/tariff.ts';
import { publishTariffs } from './tariffs.ts';

test('publishes a version once, however many processes start with it', async () => {
  const world = await createEngineWorld();
  await Promise.all([world.engine, world.another(), world.another()].map((engine) => publishTariffs(engine)));
  const [tariff] = await world.storage.list('tariffs', { of: '', limit: 10 });
  expect(tariff).toMatchObject({ id: 'v1', body: world.engine.policy.priceLists.current().input });
});

test('refuses other prices under a version that was published', async () => {
  const world = await createEngineWorld();
  await publishTariffs(world.engine);
  const priceRise = parseTariff({ version: 'v1', models: { model: { perMillion: { input_text_tokens: '2' } } } });
  await expect(publishTariffs(world.another({ tariff: priceRise }))).rejects.toMatchObject({
    code: 'configuration_invalid',
    faults: [
      { place: 'tariff.version', message: expect.stringContaining('with other prices; accepted is a new version') },
    ],
  });
  await publishTariffs(world.another({ tariff: parseTariff({ ...priceRise.input, version: 'v2' }) }));
  expect(await world.storage.list('tariffs', { of: '', limit: 10 })).toHaveLength(2);
});

test('takes the same prices, whatever JSON does to how they were written', async () => {
  const world = await createEngineWorld();
  const loose = { version: 'v3', models: { model: { perMillion: { input_text_tokens: 1, maps_queries: undefined } } } };
  // A host in plain JavaScript may leave a price undefined; JSON drops it.
  const tariff = { ...world.engine.policy.priceLists.current(), version: 'v3', input: loose as never };
  await publishTariffs(world.another({ tariff }));
  await expect(publishTariffs(world.another({ tariff }))).resolves.toBeUndefined();
});
