import { createMemoryIdentities, createMemoryLedger } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { createEngineWorld, holdMicros, type EngineWorld } from '../../test/engine-world.ts';
import type { Engine } from '../engine.ts';
import { lacksMeans } from './means.ts';

const lacks = ({ accountId, projectId, keyId }: EngineWorld, engine: Engine, identity: string | null = null) =>
  lacksMeans(engine, {
    access: { accountId, projectId, keyId },
    kind: null,
    model: 'model',
    estimate: [{ unit: 'input_text_tokens', quantity: Number(holdMicros) }],
    identity,
  });

test('lacks means where the free balance does not cover the least, but for what may be a repeat', async () => {
  const world = await createEngineWorld(holdMicros);
  expect(await lacks(world, world.engine, 'once')).toBe(false);
  await world.run({ identity: 'once' });
  expect(await lacks(world, world.engine)).toBe(true);
  expect(await lacks(world, world.engine, 'once')).toBe(false);
  expect(await lacks(world, world.engine, 'another')).toBe(true);
});

test('says nothing where the host keeps the wallet, or the identity that the request has', async () => {
  const world = await createEngineWorld(0n);
  expect(await lacks(world, world.another({ ledger: createMemoryLedger() }))).toBe(false);
  const named = world.another({ identities: createMemoryIdentities() });
  expect(await lacks(world, named, 'once')).toBe(false);
  expect(await lacks(world, named)).toBe(true);
});
