import { expect, test } from 'vitest';
import { loadPostgres } from './load-postgres.ts';

test('says what to install where the package for PostgreSQL is not there', async () => {
  const absent = Object.assign(
    new Error("Cannot find package '@tollgate/storage-postgres' imported from /srv/cli.js"),
    {
      code: 'ERR_MODULE_NOT_FOUND',
    },
  );
  await expect(loadPostgres(() => Promise.reject(absent))).rejects.toThrow(
    '--postgres needs the package @tollgate/storage-postgres, which is not installed: npm install @tollgate/storage-postgres',
  );
});
