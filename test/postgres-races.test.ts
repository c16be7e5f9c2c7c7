import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { postgresStorage } from '@tollgate/storage-postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addAccounts } from '../bench/ledger-load.ts';
import { runSql, testDatabase, type TestDatabase } from './postgres-server.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(async () => database.drop());

const worker = fileURLToPath(new URL('postgres-race-worker.ts', import.meta.url));
const scale = Number(process.env['TEST_SCALE'] ?? '1');
const processes = 4;
const rounds = 20 * scale;
const identities = 8 * rounds;
const holdMicros = 1_000n;
/** The wallet has room for this many of the identities. */
const room = Math.floor(identities * 0.7);

interface Told {
  readonly identity: string;
  readonly kind: string;
  readonly told: string;
}

/** Starts a process that waits for `go`; answers what it was told. */
const startWorker = (name: string, accountId: string) => {
  const args = [
    '--conditions=@tollgate/source',
    worker,
    database.url,
    name,
    accountId,
    String(rounds),
    String(holdMicros),
  ];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const told: Told[] = [];
  const ready = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line === 'ready') ready.resolve();
    else told.push(JSON.parse(line) as Told);
  });
  const done = new Promise<readonly Told[]>((resolve, reject) => {
    child.on('close', (code) => (code === 0 ? resolve(told) : reject(new Error(`${name} ended with ${code}`))));
  });
  return { ready: ready.promise, go: () => child.stdin.end('go\n'), done };
};

test('runs each identity once, and never beyond the wallet, among four processes', async () => {
  const accountId = 'raced';
  const storage = await postgresStorage({ connectionString: database.url });
  await addAccounts(storage, [accountId]);
  await runSql(
    database.url,
    `UPDATE tollgate.wallet SET balance_micros = ${holdMicros * BigInt(room)} WHERE id = '${accountId}'`,
  );
  const workers = Array.from({ length: processes }, (_, at) => startWorker(`process${at}`, accountId));
  await Promise.all(workers.map((one) => one.ready));
  for (const one of workers) one.go();
  const told = (await Promise.all(workers.map((one) => one.done))).flat();
  expect(told).toHaveLength(processes * rounds * 9);

  const startedBy = new Map<string, number>();
  for (const { identity, kind } of told)
    if (kind === 'started') startedBy.set(identity, (startedBy.get(identity) ?? 0) + 1);
  expect([...startedBy.values()].every((count) => count === 1)).toBe(true);
  expect(startedBy.size).toBe(room);
  expect(told.some(({ kind }) => kind === 'insufficient')).toBe(true);
  // Everybody who was told of another's operation was told of the same one.
  const named = new Map<string, Set<string>>();
  for (const { identity, kind, told: id } of told)
    if (kind === 'known') named.set(identity, (named.get(identity) ?? new Set()).add(id));
  expect([...named.values()].every((ids) => ids.size === 1)).toBe(true);

  const [books] = await runSql(
    database.url,
    `SELECT w.balance_micros::int AS balance, w.reserved_micros::int AS reserved, w.entry_seq::int AS entries,
       (SELECT -sum(amount_micros)::int FROM tollgate.entry) AS debited, (SELECT count(*)::int FROM tollgate.operation) AS operations
     FROM tollgate.wallet w WHERE id = '${accountId}'`,
  );
  expect(books).toEqual({
    balance: 0,
    reserved: 0,
    entries: room,
    debited: room * Number(holdMicros),
    operations: room,
  });
  await storage.close();
});
