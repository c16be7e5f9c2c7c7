import { expect, test } from 'vitest';
import { choosePrimary, isPassing, judgeServer, UnsafeServerError, type ServerFault } from './judge-server.ts';
import type { ServerFacts } from './server-facts.ts';

const sound: ServerFacts = {
  isInRecovery: false,
  encoding: 'UTF8',
  synchronousCommit: 'on',
  fsync: 'on',
  fullPageWrites: 'on',
  isForTests: false,
  transactionDefaults: 'read committed, off',
  standbyNames: 'ANY 1 (s1)',
  standbys: { synchronous: 1, hidden: 0 },
  place: { cluster: 'c', timeline: 1 },
  servedBy: 7,
  promisedBy: 7,
};
const strict = { readOnly: false, allowUnsafeServer: false, requireStandby: true, pooler: null };
const lenient = { readOnly: false, allowUnsafeServer: true, requireStandby: false, pooler: 'session' } as const;

test('finds nothing wrong with a primary whose commits wait for its disk and its standby', () => {
  expect(judgeServer(sound, strict)).toBeNull();
  expect(judgeServer({ ...sound, synchronousCommit: 'remote_apply' }, strict)).toBeNull();
  // A server that promises no process is asked through nothing that could have promised another one.
  expect(judgeServer({ ...sound, promisedBy: null }, strict)).toBeNull();
});

test.each<[ServerFault, Partial<ServerFacts>, string]>([
  ['in_recovery', { isInRecovery: true }, 'address of the primary'],
  ['pooler', { promisedBy: 8 }, 'Connect directly'],
  ['server_encoding', { encoding: 'SQL_ASCII' }, "ENCODING 'UTF8'"],
  ['synchronous_commit', { synchronousCommit: 'off' }, 'Set it to on'],
  ['synchronous_commit', { synchronousCommit: 'local' }, 'Set it to on'],
  ['fsync', { fsync: 'off' }, 'Set it to on'],
  ['full_page_writes', { fullPageWrites: 'off' }, 'Set it to on'],
  ['no_standby', { standbyNames: '' }, 'Name the standbys'],
  ['no_standby', { standbys: { synchronous: 0, hidden: 0 } }, 'Attach a standby'],
  ['no_standby', { standbys: { synchronous: 0, hidden: 1 } }, 'GRANT pg_read_all_stats'],
])('refuses a server by the name of what is wrong with it, and says what to do: %s', (fault, change, todo) => {
  const found = judgeServer({ ...sound, ...change }, strict);
  expect(found).toMatchObject({ code: 'unsafe_database', fault });
  expect(found?.message).toContain(todo);
});

test('takes a server without syncs where the host allows it or the server is for tests, and no other loss', () => {
  const unsafe = { ...sound, fsync: 'off', fullPageWrites: 'off', standbyNames: '', promisedBy: 8 };
  expect(judgeServer(unsafe, lenient)).toBeNull();
  expect(judgeServer({ ...unsafe, isForTests: true }, { ...lenient, allowUnsafeServer: false })).toBeNull();
  expect(judgeServer({ ...unsafe, synchronousCommit: 'off' }, lenient)?.fault).toBe('synchronous_commit');
});

test('reads from any server that holds all text, directly or through the pooler that is named', () => {
  const reading = { ...strict, readOnly: true };
  const replica = { ...sound, isInRecovery: true, fsync: 'off', synchronousCommit: 'off', standbyNames: '' };
  expect(judgeServer(replica, reading)).toBeNull();
  expect(judgeServer({ ...replica, promisedBy: 8 }, reading)?.fault).toBe('pooler');
  expect(judgeServer({ ...replica, encoding: 'LATIN1' }, reading)?.fault).toBe('server_encoding');
});

test('refuses a role whose transactions begin otherwise, behind a pooler that has no sessions and nowhere else', () => {
  const changed = { ...sound, transactionDefaults: 'serializable, off' };
  const found = judgeServer(changed, { ...strict, pooler: 'transaction' });
  expect(found).toMatchObject({ fault: 'pooler', message: expect.stringContaining('are serializable, off; behind') });
  expect(judgeServer(sound, { ...strict, pooler: 'transaction' })).toBeNull();
  for (const pooler of ['session', null] as const) expect(judgeServer(changed, { ...strict, pooler })).toBeNull();
});

const at = (timeline: number, change: Partial<ServerFacts> = {}) => ({
  facts: { ...sound, place: { cluster: 'c', timeline }, ...change },
});
const standby = at(0, { isInRecovery: true, place: null });
const faultOf = (choose: () => unknown): unknown => {
  try {
    return choose();
  } catch (cause) {
    return cause instanceof UnsafeServerError ? cause.fault : cause;
  }
};

test('chooses the server that is not in recovery, and of two the one that was promoted last', () => {
  const [old, promoted] = [at(1), at(2)];
  expect(choosePrimary([standby, old], null)).toBe(old);
  expect(choosePrimary([old, promoted, standby], null)).toBe(promoted);
  // A standby may be of the timeline of its primary, or of a later one for a moment.
  expect(choosePrimary([promoted, at(2, { isInRecovery: true }), at(3, { isInRecovery: true })], null)).toBe(promoted);
  expect(choosePrimary([old, promoted], { cluster: 'c', timeline: 1 })).toBe(promoted);
});

test('chooses none where it cannot be said which is the primary', () => {
  expect(faultOf(() => choosePrimary([standby, standby], null))).toBe('in_recovery');
  expect(faultOf(() => choosePrimary([at(2), at(2)], null))).toBe('two_primaries');
  expect(faultOf(() => choosePrimary([at(2), at(1, { place: { cluster: 'd', timeline: 1 } })], null))).toBe(
    'other_cluster',
  );
});

test('never goes back to a timeline that has ended, nor to another cluster', () => {
  const seen = { cluster: 'c', timeline: 2 };
  expect(faultOf(() => choosePrimary([at(1), standby], seen))).toBe('old_primary');
  expect(faultOf(() => choosePrimary([at(3, { place: { cluster: 'd', timeline: 3 } })], seen))).toBe('other_cluster');
});

test('tells what a fail-over mends from what an operator must', () => {
  expect(isPassing(new UnsafeServerError('in_recovery', ''))).toBe(true);
  expect(isPassing(new UnsafeServerError('fsync', ''))).toBe(false);
  expect(isPassing(new Error('in_recovery'))).toBe(false);
});
