import type { CreditLedger, IdempotencyStore } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { patientIdentities, patientLedger } from './host-calls.ts';

/** A clock of which the test says when its timers go off. */
const createTimers = () => {
  const timers = new Map<() => void, number>();
  return {
    timers,
    patience: {
      hostCallMs: 500,
      after: (ms: number, run: () => void) => {
        timers.set(run, ms);
        return () => void timers.delete(run);
      },
    },
    goOff: (): void => {
      for (const run of timers.keys()) run();
    },
  };
};

const never = (): Promise<never> => new Promise(() => undefined);
const hanging: CreditLedger = { reserve: never, extend: never, settle: never, release: never };
const command = { operationId: 'a', accountId: 'b', amountMicros: 1n };
const claim = { projectId: 'a', identity: 'b', fingerprint: 'c', operationId: 'd' };

test.each(['reserve', 'extend', 'settle', 'release'] as const)(
  'waits for %s of a wallet no longer than configured',
  async (name) => {
    const { patience, timers, goOff } = createTimers();
    const call = patientLedger(hanging, patience)[name](command);
    expect([...timers.values()]).toEqual([500]);
    goOff();
    await expect(call).rejects.toMatchObject({
      code: 'host_call_late',
      message: `ledger.${name} took longer than hostCallMs`,
    });
  },
);

test.each(['claim', 'release'] as const)('waits for %s of identities no longer than configured', async (name) => {
  const { patience, goOff } = createTimers();
  const identities: IdempotencyStore = { claim: never, release: never };
  const call = patientIdentities(identities, patience)[name](claim);
  goOff();
  await expect(call).rejects.toMatchObject({ code: 'host_call_late' });
});

test('hands over what the host answers or throws, and leaves no timer behind', async () => {
  const { patience, timers } = createTimers();
  const cause = new Error('no connection');
  const ledger = patientLedger(
    { ...hanging, reserve: () => Promise.resolve('reserved'), settle: () => Promise.reject(cause) },
    patience,
  );
  expect(await ledger.reserve(command)).toBe('reserved');
  await expect(ledger.settle(command)).rejects.toBe(cause);
  expect(timers.size).toBe(0);
});
