import { expect, test } from 'vitest';
import { migratePostgres, postgresStorage } from './index.ts';

test('refuses an empty address, where the driver would go to a database of its own choice', async () => {
  await expect(postgresStorage({ connectionString: '' })).rejects.toThrow('connectionString is empty');
  await expect(migratePostgres({ connectionString: '' })).rejects.toThrow('connectionString is empty');
});
