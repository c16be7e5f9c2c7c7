import { expect, test } from 'vitest';
import { sqliteDialect } from './sqlite-dialect.ts';

const failed = (message: string, members: object): Error => Object.assign(new Error(message), members);

test.each([
  ['busy', failed('database is locked', { errcode: 5 })],
  ['busy', failed('database is locked', { errcode: 517 })],
  ['busy', failed('database table is locked', { code: 'SQLITE_LOCKED_SHAREDCACHE' })],
  ['busy', failed('database is locked', { code: 'SQLITE_BUSY_SNAPSHOT' })],
  ['race', failed('UNIQUE constraint failed: wallet.id', { errcode: 1555 })],
  ['race', failed('UNIQUE constraint failed: wallet.id', { code: 'SQLITE_CONSTRAINT_PRIMARYKEY' })],
  ['other', failed('CHECK constraint failed: reserved_micros >= 0', { errcode: 275 })],
  ['unknown', failed('disk I/O error', { code: 'SQLITE_IOERR_FSYNC' })],
  ['applied', failed('table wallet already exists', { errcode: 1 })],
  ['applied', failed('duplicate column name: plan', { code: 'SQLITE_ERROR' })],
  ['other', failed('no such table: wallet', { errcode: 1 })],
  ['other', 'no error'],
] as const)('says of an error what follows from it: %s (%s)', (fault, cause) => {
  expect(sqliteDialect.faultOf(cause)).toBe(fault);
});
