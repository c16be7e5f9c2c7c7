import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { notificationsOptionsCheck, storageOptionsCheck } from './options-check.ts';

const pool = new Pool();
const connectionString = 'postgres://u:p@a/db';

const faultsOf = (options: object): readonly string[] =>
  storageOptionsCheck.faultsOf(options, '').map(({ place, message }) => `${place}: ${message}`);

test('takes an address or a pool, and not both or neither', () => {
  expect(faultsOf({ connectionString })).toEqual([]);
  expect(faultsOf({ pool })).toEqual([]);
  expect(faultsOf({})).toEqual([
    expect.stringMatching(/^connectionString: connectionString is missing; accepted is one/),
  ]);
  expect(faultsOf({ connectionString, pool })).toEqual([
    expect.stringMatching(/^connectionString: connectionString stands beside pool; accepted is one/),
  ]);
  expect(notificationsOptionsCheck.faultsOf({ pool }, '')).toEqual([]);
});

test('reads from one host alone, and takes several where it also writes', () => {
  const several = 'postgres://u:p@a,b/db';
  expect(faultsOf({ connectionString: several })).toEqual([]);
  expect(faultsOf({ connectionString: several, readOnly: false })).toEqual([]);
  expect(faultsOf({ connectionString, readOnly: true })).toEqual([]);
  expect(faultsOf({ pool, readOnly: true })).toEqual([]);
  expect(faultsOf({ connectionString: several, readOnly: true })).toEqual([
    expect.stringContaining('names several hosts beside readOnly'),
  ]);
});
