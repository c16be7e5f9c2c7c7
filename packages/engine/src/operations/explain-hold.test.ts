import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';
import { explainHold } from './explain-hold.ts';

const insufficient = { kind: 'insufficient', availableMicros: 250_001n, walletSeq: 7 } as const;
const called = { model: 'm', access: { keyId: 'k', projectId: 'p', accountId: 'a', requestId: 'r' } } as const;
const hold = { kind: 'amount', micros: 1_500_000n } as const;

test('names what a call needs and what is available where the balance does not cover it', async () => {
  const { engine } = await createEngineWorld();
  expect(explainHold(engine, called, hold, insufficient)).toEqual({
    ...insufficient,
    detail: 'This request needs 1.5 credits, and 0.250001 are available; reservations count as used.',
  });
});

test("names no available amount of a host's ledger, which tells none", async () => {
  const { engine } = await createEngineWorld();
  // Only its presence matters.
  const ledger = {} as NonNullable<typeof engine.host.ledger>;
  const told = explainHold({ ...engine, host: { ...engine.host, ledger } }, called, hold, insufficient);
  expect(told).toMatchObject({ detail: expect.stringMatching(/needs 1\.5 credits, and the available balance/) });
});
