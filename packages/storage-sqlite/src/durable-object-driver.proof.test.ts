// The whole storage suite over a database that behaves as that of a Durable Object: one connection, transactions by callback, no
// BEGIN, COMMIT or PRAGMA, few parameters. `npm run check:hosts` runs the gateway suite in workerd itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeStorage } from '@tollgate/testing/storage';
import { afterAll, describe, test } from 'vitest';
import { driverStorage } from './driver-storage.ts';
import { durableObjectDriver, type DurableObjectDatabase } from './durable-object-driver.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-object-'));
afterAll(() => rmSync(folder, { recursive: true }));

const parametersMax = 100;

const likeAnObject = (path: string): DurableObjectDatabase => {
  const database = new DatabaseSync(path);
  return {
    sql: {
      exec: (text, ...values) => {
        if (/^\s*(?:BEGIN|COMMIT|ROLLBACK|PRAGMA|SAVEPOINT)/i.test(text)) throw new Error(`not allowed: ${text}`);
        if (values.length > parametersMax) throw new Error('variable number must be between ?1 and ?100');
        const statement = database.prepare(text);
        statement.setReturnArrays(true);
        // With arrays set, each row is one.
        const rows = statement.all(...values) as unknown as unknown[][];
        return { raw: () => rows };
      },
    },
    transaction: async (run) => {
      let commits = true;
      database.exec('BEGIN IMMEDIATE');
      await run({ rollback: () => void (commits = false) });
      database.exec(commits ? 'COMMIT' : 'ROLLBACK');
    },
  };
};

let files = 0;

describeStorage({ describe, test }, 'driverStorage in a Durable Object', async () => {
  files += 1;
  let nowMs = 1;
  const object = likeAnObject(join(folder, `${files}.db`));
  const options = { open: durableObjectDriver(object), now: () => nowMs };
  return {
    storage: await driverStorage(options),
    reopen: () => driverStorage(options),
    setNow: (ms) => {
      nowMs = ms;
    },
  };
});
