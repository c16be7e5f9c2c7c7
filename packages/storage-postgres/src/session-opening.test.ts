import { expect, test } from 'vitest';
import { UnsafeServerError } from './judge-server.ts';
import { createSession } from './session.ts';

const limits = { statementTimeoutMs: 1, lockTimeoutMs: 1, answerTimeoutMs: 1, isReadOnly: false };

/** A session to servers of which each opening fails with one of these. */
const createFailing = (...causes: readonly Error[]) => {
  let opened = 0;
  const session = createSession({
    dial: { open: () => Promise.reject(causes[opened++] ?? new Error('asked once more')), isLeftBehind: () => false },
    limits,
    pooler: null,
  });
  return { session, opened: () => opened };
};

test('says what is wrong with a server when it opens, also where that would pass', async () => {
  for (const fault of ['in_recovery', 'fsync'] as const)
    await expect(createFailing(new UnsafeServerError(fault, fault)).session.line()).rejects.toMatchObject({ fault });
});

test('takes a server that cannot be reached for a lost connection, with what the driver said', async () => {
  const refused = new Error('connect ECONNREFUSED');
  await expect(createFailing(refused).session.line()).rejects.toMatchObject({
    code: 'connection_lost',
    cause: refused,
  });
});

test('opens again after an opening that failed, for those who ask at once together, and not once it is closed', async () => {
  const { session, opened } = createFailing(
    new UnsafeServerError('fsync', 'one'),
    new UnsafeServerError('fsync', 'two'),
  );
  const both = await Promise.allSettled([session.line(), session.line()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(opened()).toBe(1);
  await expect(session.line()).rejects.toThrow('two');
  expect(opened()).toBe(2);
  session.close();
  await expect(session.line()).rejects.toThrow('the storage is closed');
  expect(opened()).toBe(2);
});
