import { storageBusyCode } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import type { Step } from '../decisions/step.ts';
import { commit, commitOnce, isStorageBusy, persist, type Carrier } from './persist.ts';

const persisting = () => {
  const pauses: number[] = [];
  const sleep = async (ms: number): Promise<void> => {
    pauses.push(ms);
  };
  return { pauses, options: { triesMax: 4, pauseMs: 100, sleep } };
};

/** Fails so many times, then returns which attempt it was. */
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

  test.each([
    ['unknown', [0]],
    ['unknown', [1]],
    ['unknown', [2]],
    ['busy', []],
  ])(
    'throws %s as its cause where the tries %j of three were unconfirmed and the others refused as busy',
    async (cause, unknown) => {
      const { options } = persisting();
      const tries = persist({ ...options, triesMax: 3 }, async (attempt) => {
        throw unknown.includes(attempt - 1)
          ? new Error('unknown')
          : Object.assign(new Error('busy'), { code: storageBusyCode });
      });
      await expect(tries).rejects.toThrow(cause);
    },
  );
});

test('tells a busy storage by its code', () => {
  expect(isStorageBusy(Object.assign(new Error('full'), { code: storageBusyCode }))).toBe(true);
  expect(isStorageBusy(Object.assign(new Error('full'), { code: 'other' }))).toBe(false);
  expect(isStorageBusy(new Error(storageBusyCode))).toBe(false);
  expect(isStorageBusy({ code: storageBusyCode })).toBe(false);
  expect(isStorageBusy(null)).toBe(false);
});

const settingKey = { table: 'setting', id: 's' } as const;

/** A step whose key and answer contain the number that it was made with. */
const numbered = (number: number): Step<string> => ({
  keys: [{ ...settingKey, id: `s${number}` }],
  decide: (_, nowMs) => ({ writes: [], answer: `${number} at ${nowMs}` }),
});

/** A storage that carries every step out, and confirms none of the first so many. */
const unconfirming = (times: number) => {
  const sent: string[] = [];
  const storage: Carrier['storage'] = {
    transact: async (keys, decide) => {
      sent.push(keys.map(({ id }) => id).join());
      const { answer } = decide({ get: () => undefined }, 7);
      if (sent.length <= times) throw new Error(`failure ${sent.length}`);
      return answer;
    },
  };
  const clock = { sleep: () => Promise.resolve() };
  const engine = { storage, limits: { persistTriesMax: 3, persistPauseMs: 100 }, clock };
  return { sent, engine };
};

describe('commit', () => {
  test('sends a step again, with its keys, until the storage confirms it', async () => {
    const { sent, engine } = unconfirming(2);
    expect(await commit(engine, numbered(1))).toBe('1 at 7');
    expect(sent).toEqual(['s1', 's1', 's1']);
  });

  test('makes a step that depends on the attempt for each attempt', async () => {
    const { sent, engine } = unconfirming(2);
    expect(await commit(engine, numbered)).toBe('3 at 7');
    expect(sent).toEqual(['s1', 's2', 's3']);
  });

  test('throws what the last attempt threw where no attempt was confirmed', async () => {
    const { sent, engine } = unconfirming(3);
    await expect(commit(engine, numbered(1))).rejects.toThrow('failure 3');
    expect(sent).toHaveLength(3);
  });

  test('sends a step once where it must not be repeated', async () => {
    const { sent, engine } = unconfirming(1);
    await expect(commitOnce(engine, numbered(1))).rejects.toThrow('failure 1');
    expect(await commitOnce(engine, numbered(2))).toBe('2 at 7');
    expect(sent).toEqual(['s1', 's2']);
  });
});
