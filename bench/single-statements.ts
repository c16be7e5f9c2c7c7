// What gathered steps are compared with: one row updated by one statement, and reserve and settle as one statement each.
import { Pool, type PoolClient } from 'pg';
import { percentile, type LoadPlan, type LoadResult, type RunPair } from './ledger-load.ts';

/** Updates of one wallet row, one a transaction, as pgbench would. */
export const runRowUpdates = async (url: string, plan: LoadPlan): Promise<LoadResult> => {
  const pool = new Pool({ connectionString: url, max: plan.inFlight });
  const clients = await Promise.all(Array.from({ length: plan.inFlight }, () => pool.connect()));
  const tookMs: number[] = [];
  const startedMs = performance.now();
  let next = 0;
  const run = async (client: PoolClient): Promise<void> => {
    for (let nowMs = performance.now(); nowMs - startedMs < plan.durationMs;) {
      next += 1;
      await client.query({
        name: 'row',
        text: 'UPDATE tollgate.wallet SET seq = seq + 1 WHERE id = $1',
        values: [plan.accounts[next % plan.accounts.length]],
      });
      const beforeMs = nowMs;
      nowMs = performance.now();
      tookMs.push(nowMs - beforeMs);
    }
  };
  await Promise.all(clients.map(run));
  const elapsedMs = performance.now() - startedMs;
  for (const client of clients) client.release();
  await pool.end();
  return { pairs: tookMs.length, elapsedMs, openP50Ms: percentile(tookMs, 0.5), openP99Ms: percentile(tookMs, 0.99) };
};

/** The same writes as an open and a settle make, each as one function call: what can be done without gathering. */
const functionsSql = `
CREATE OR REPLACE FUNCTION tollgate.bench_open(op text, acc text) RETURNS text LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM tollgate.api_key k JOIN tollgate.project p ON p.id = k.project_id JOIN tollgate.account a ON a.id = p.account_id
    WHERE k.id = 'k-' || acc AND k.status = 'active' AND p.status = 'active' AND a.status = 'active';
  IF NOT FOUND THEN RETURN 'refused'; END IF;
  INSERT INTO tollgate.identity VALUES ('p-' || acc || ':' || op, op, op, 1) ON CONFLICT DO NOTHING;
  IF NOT FOUND THEN RETURN 'known'; END IF;
  INSERT INTO tollgate.operation VALUES (op, 'p-' || acc, acc, 'k-' || acc, 'chat', 'model', op, op, 'processing', 1000, 0, 0,
    NULL, 0, 'bench', NULL, '[]', NULL, 'json', 'none', 'bench', 1, 1, 1, NULL);
  INSERT INTO tollgate.operation_open VALUES (1, op);
  UPDATE tollgate.wallet SET reserved_micros = reserved_micros + 1000, seq = seq + 1
    WHERE id = acc AND balance_micros - reserved_micros >= 1000;
  IF NOT FOUND THEN RAISE 'insufficient'; END IF;
  RETURN 'started';
END $$;
CREATE OR REPLACE FUNCTION tollgate.bench_settle(op text, acc text, body text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE w tollgate.wallet;
BEGIN
  UPDATE tollgate.operation SET state = 'completed', hold_micros = 0, charged_micros = 600, usage = '[]', attempts = '[]',
    answer = 'stored', owner = NULL, due_at_ms = 2, updated_at_ms = 2, ended_at_ms = 2 WHERE id = op AND state = 'processing';
  IF NOT FOUND THEN RETURN 'ended'; END IF;
  INSERT INTO tollgate.answer VALUES (op, body, length(body), 1);
  UPDATE tollgate.wallet SET reserved_micros = reserved_micros - 1000, balance_micros = balance_micros - 600, seq = seq + 1,
    entry_seq = entry_seq + 1 WHERE id = acc RETURNING * INTO w;
  INSERT INTO tollgate.entry VALUES (acc || ':' || w.entry_seq, acc, w.entry_seq, 'debit', -600, op, 'bench', NULL, w.seq, 2);
  RETURN 'settled';
END $$;`;

/** One statement a step, over a pool of this many connections. */
export const openSingleStatements = async (url: string, connections: number) => {
  const pool = new Pool({ connectionString: url, max: connections });
  await pool.query(functionsSql);
  const run = crypto.randomUUID().slice(0, 8);
  const body = 'x'.repeat(460);
  let count = 0;
  const call = async (name: string, text: string, values: readonly string[], expected: string): Promise<void> => {
    const { rows } = await pool.query<{ told: string }>({ name, text, values: [...values] });
    if (rows[0]?.told !== expected) throw new Error(`${name}: ${rows[0]?.told}`);
  };
  const pair: RunPair = async (accountId) => {
    count += 1;
    const operationId = `${Date.now().toString(16)}-${run}-${String(count).padStart(9, '0')}`;
    const startedMs = performance.now();
    await call('open', 'SELECT tollgate.bench_open($1, $2) AS told', [operationId, accountId], 'started');
    const openMs = performance.now() - startedMs;
    await call('settle', 'SELECT tollgate.bench_settle($1, $2, $3) AS told', [operationId, accountId, body], 'settled');
    return openMs;
  };
  return { pair, close: () => pool.end() };
};
