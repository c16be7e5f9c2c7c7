import { isConfigurationError } from '@tollgate/contract/configuration';
import { expect, test } from 'vitest';
import { migratePostgres, postgresNotifications, postgresStorage } from './index.ts';

test('refuses an empty address, where the driver would go to a database of its own choice', async () => {
  await expect(postgresStorage({ connectionString: '' })).rejects.toThrow('connectionString is empty');
  await expect(migratePostgres({ connectionString: '' })).rejects.toThrow('connectionString is empty');
});

test.each([
  ['whose password has a #', 'postgres://gw:p#hush@localhost/gateway'],
  ['whose password begins with digits and a #, which parses as a port', 'postgres://gw:12#hush@localhost/gateway'],
  ['of several hosts whose password has a #', 'postgres://gw:p#hush@a,b/gateway'],
  ['whose port is no number', 'postgres://gw:hush@localhost:port/gateway'],
  ['that is none', 'hush'],
])('refuses an address %s, and repeats nothing of it', async (_, connectionString) => {
  const options = { connectionString };
  for (const open of [postgresStorage, migratePostgres, postgresNotifications]) {
    const error: unknown = await Promise.resolve()
      .then((): unknown => open(options))
      .catch((cause: unknown) => cause);
    if (!isConfigurationError(error)) throw new Error('no configuration error', { cause: error });
    expect(error.message).toContain('accepted is the address of a database, as postgres://user:password@host:5432/');
    expect(`${error.message}${JSON.stringify(error)}${String(error.stack)}`).not.toMatch(/hush|gw:/u);
  }
});
