import { storageBusyCode } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import { isStorageBusy, persist } from './persist.ts';

const persisting = () => {
  const pauses: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms);
  };
  return { pauses, options: { triesMax: 4, pauseMs: 100, sleep } };
};

/** Fails so many times, then answers which attempt it was. */
const failing = (times: number) => async (attempt: number) => {
  if (attempt <= times) throw new Error(`failure ${attempt}`);
  return attempt;
};

describe('persist', () => {
  test('asks once where the storage confirms at once', async () => {
    const { options, pauses } = persisting();
    expect(await persist(options, failing(0))).toBe(1);
    expect(pauses).toEqual([]);
  });

  test('sends a step again with pauses that double, until it is confirmed', async () => {
    const { options, pauses } = persisting();
    expect(await persist(options, failing(3))).toBe(4);
    expect(pauses).toEqual([100, 200, 400]);
  });

  test('throws the last cause when the tries are used up, without a pause after it', async () => {
    const { options, pauses } = persisting();
    await expect(persist(options, failing(4))).rejects.toThrow('failure 4');
    expect(pauses).toEqual([100, 200, 400]);
  });
});

test('tells a busy storage by its code', () => {
  expect(isStorageBusy(Object.assign(new Error('full'), { code: storageBusyCode }))).toBe(true);
  expect(isStorageBusy(Object.assign(new Error('full'), { code: 'other' }))).toBe(false);
  expect(isStorageBusy(new Error(storageBusyCode))).toBe(false);
  expect(isStorageBusy({ code: storageBusyCode })).toBe(false);
  expect(isStorageBusy(null)).toBe(false);
});
