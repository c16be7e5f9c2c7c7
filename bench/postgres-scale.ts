// What an operation costs as the database fills: accounts from 1 to 100,000, stored operations from 10^4 on, tenfold.
// node --conditions=@tollgate/source bench/postgres-scale.ts [--operations 1000000] [--seconds 3] [--rounds 3]
import { parseArgs } from 'node:util';
import { postgresStorage } from '@tollgate/storage-postgres';
import { createTestDatabase, runSql, startKeeper } from '../test/postgres-server.ts';
import { accountIds, addAccounts, pairOn, pairsPerSecond, runLoad } from './ledger-load.ts';

const { values: flags } = parseArgs({
  options: {
    operations: { type: 'string', default: '1000000' },
    accounts: { type: 'string', default: '100000' },
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '3' },
  },
});
const operationsMax = Number(flags.operations);
const accountsMax = Number(flags.accounts);
const rounds = Number(flags.rounds);
const inFlight = 64;
const operationsMin = 10_000;

/** The accounts that the load runs on, whatever else there is. */
const busy = accountIds(64);

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Ended operations as the gateway leaves them, by the server itself: with identity, answer and place in every index. */
const fillOperations = (url: string, from: number, to: number): Promise<unknown> =>
  runSql(
    url,
    `SET search_path = tollgate;
     INSERT INTO operation (id, project_id, account_id, key_id, kind, model, identity, fingerprint, state, hold_micros,
         charged_micros, captures, absorbed_micros, tariff_version, usage, attempts, answer_form, answer, due_at_ms,
         created_at_ms, updated_at_ms, ended_at_ms)
       SELECT 'old-' || lpad(n::text, 12, '0'), 'p-old', 'old-' || (n % 1000), 'k-old', 'chat', 'model', 'i' || n,
         md5(n::text), 'completed', 0, 0, 0, 0, 'bench', '[]', '[]', 'json', 'stored', 4000000000000 + n, n, n, n
       FROM generate_series(${from}, ${to - 1}) AS n;
     INSERT INTO operation_kept (due_at_ms, id)
       SELECT 4000000000000 + n, 'old-' || lpad(n::text, 12, '0') FROM generate_series(${from}, ${to - 1}) AS n;
     INSERT INTO identity (id, operation_id, fingerprint, created_at_ms)
       SELECT 'p-old:i' || n, 'old-' || lpad(n::text, 12, '0'), md5(n::text), n
       FROM generate_series(${from}, ${to - 1}) AS n;
     INSERT INTO answer (id, body, bytes, created_at_ms)
       SELECT 'old-' || lpad(n::text, 12, '0'), repeat('x', 400), 400, n FROM generate_series(${from}, ${to - 1}) AS n;`,
  );

/** Accounts that rest, with what belongs to each. */
const fillAccounts = (url: string, from: number, to: number): Promise<unknown> =>
  runSql(
    url,
    `SET search_path = tollgate;
     INSERT INTO account (id, name, status, created_at_ms)
       SELECT 'rest-' || n, 'rest', 'active', n FROM generate_series(${from}, ${to - 1}) AS n;
     INSERT INTO wallet (id, balance_micros, reserved_micros, seq, entry_seq)
       SELECT 'rest-' || n, 0, 0, 0, 0 FROM generate_series(${from}, ${to - 1}) AS n;
     INSERT INTO project (id, account_id, name, status, created_at_ms)
       SELECT 'p-rest-' || n, 'rest-' || n, 'rest', 'active', n FROM generate_series(${from}, ${to - 1}) AS n;
     INSERT INTO api_key (id, project_id, account_id, name, secret_hash, status, created_at_ms)
       SELECT 'k-rest-' || n, 'p-rest-' || n, 'rest-' || n, 'rest', 'x', 'active', n
       FROM generate_series(${from}, ${to - 1}) AS n;`,
  );

const settle = async (url: string): Promise<void> => {
  await runSql(url, 'VACUUM ANALYZE');
  await runSql(url, 'CHECKPOINT');
};

const measure = async (url: string, accounts: readonly string[]): Promise<number> => {
  const storage = await postgresStorage({ connectionString: url });
  const pair = pairOn(storage);
  const plan = { accounts, inFlight, durationMs: Number(flags.seconds) * 1_000 };
  await runLoad(pair, { ...plan, durationMs: 5_000 });
  const results: number[] = [];
  for (let round = 0; round < rounds; round += 1) results.push(pairsPerSecond(await runLoad(pair, plan)));
  await storage.close();
  return median(results);
};

const keeper = await startKeeper();
try {
  const { url } = await createTestDatabase(await keeper.server());
  const storage = await postgresStorage({ connectionString: url });
  await addAccounts(storage, busy);
  await storage.close();
  console.log('stored operations\tresting accounts\tpairs/s\tof the first');
  const report = async (operations: number, accounts: number, first: number): Promise<number> => {
    await settle(url);
    const perSecond = await measure(url, busy);
    const share = first === 0 ? 1 : perSecond / first;
    console.log(`${operations}\t${accounts}\t${Math.round(perSecond)}\t${share.toFixed(2)}`);
    return first === 0 ? perSecond : first;
  };
  await fillOperations(url, 0, operationsMin);
  let first = await report(operationsMin, 0, 0);
  await fillAccounts(url, 0, accountsMax);
  first = await report(operationsMin, accountsMax, first);
  for (let filled = operationsMin; filled < operationsMax; filled *= 10) {
    await fillOperations(url, filled, filled * 10);
    await report(filled * 10, accountsMax, first);
  }
} finally {
  await keeper.stop();
}
