// Reserve and settle over PostgreSQL: gathered steps beside one statement a step, one transaction a step and a plain update
// of one row, on one server, in one run. The forms take turns, `--rounds` times for `--seconds` each; the median counts.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { postgresStorage } from '@tollgate/storage-postgres';
import { createTestDatabase, runSql, startKeeper } from '../test/postgres-server.ts';
import { startDelayProxy } from './delay-proxy.ts';
import {
  accountIds,
  addAccounts,
  pairOn,
  pairsPerSecond,
  runLoad,
  type LoadPlan,
  type LoadResult,
} from './ledger-load.ts';
import { runProcesses } from './postgres-processes.ts';
import { openSingleStatements, runRowUpdates } from './single-statements.ts';

const { values: flags } = parseArgs({
  options: { seconds: { type: 'string', default: '2' }, rounds: { type: 'string', default: '3' } },
});
const durationMs = Number(flags.seconds) * 1_000;
const rounds = Number(flags.rounds);
const poolConnections = 16;
const accounts = accountIds(1_000);
const hot = accounts.slice(0, 1);

type Form =
  | 'row update'
  | 'statement a step'
  | 'transaction a step'
  | 'gathered'
  | 'gathered, 1 process'
  | 'gathered, 2 processes';

interface Measurement {
  readonly condition: string;
  readonly form: Form;
  readonly wallets: number;
  readonly inFlight: number;
}

const taken = new Map<string, { readonly of: Measurement; readonly results: LoadResult[] }>();

const keyOf = ({ condition, form, wallets, inFlight }: Measurement): string =>
  [condition, form, wallets, inFlight].join('\t');

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const perSecond = (of: Measurement): number => median((taken.get(keyOf(of))?.results ?? []).map(pairsPerSecond));

const note = (of: Measurement, result: LoadResult): void => {
  const noted = taken.get(keyOf(of)) ?? { of, results: [] };
  noted.results.push(result);
  taken.set(keyOf(of), noted);
  process.stderr.write(`${keyOf(of)}\t${Math.round(pairsPerSecond(result))}\tload ${loadavg()[0]?.toFixed(1)}\n`);
};

const planOf = (wallets: number, inFlight: number): LoadPlan => ({
  accounts: wallets === 1 ? hot : accounts,
  inFlight,
  durationMs,
});

/** The forms on one database, opened once. */
const openForms = async (url: string) => {
  const gathered = await postgresStorage({ connectionString: url });
  const alone = await postgresStorage({ connectionString: url, stepsPerBatchMax: 1 });
  const single = await openSingleStatements(url, poolConnections);
  const pair = pairOn(gathered);
  const pairAlone = pairOn(alone);
  const run: { readonly [F in Form]: (plan: LoadPlan) => Promise<LoadResult> } = {
    'row update': (plan) => runRowUpdates(url, plan),
    'statement a step': (plan) => runLoad(single.pair, plan),
    'transaction a step': (plan) => runLoad(pairAlone, plan),
    gathered: (plan) => runLoad(pair, plan),
    // In a process of its own too, so that it is compared with two that start just as cold.
    'gathered, 1 process': (plan) => runProcesses(url, plan, 1),
    'gathered, 2 processes': (plan) => runProcesses(url, plan, 2),
  };
  const close = async (): Promise<void> => {
    await Promise.all([gathered.close(), alone.close(), single.close()]);
  };
  return { run, close };
};

type Row = readonly [Form, number, number];

const measure = async (condition: string, url: string, rows: readonly Row[]): Promise<void> => {
  const { run, close } = await openForms(url);
  for (let round = 0; round < rounds; round += 1)
    for (const [form, wallets, inFlight] of rows)
      note({ condition, form, wallets, inFlight }, await run[form](planOf(wallets, inFlight)));
  await close();
};

const audit = async (url: string): Promise<void> => {
  const wrong = await runSql(
    url,
    `SELECT w.id FROM tollgate.wallet w
       LEFT JOIN (SELECT account_id, sum(amount_micros) AS s, max(seq) AS n FROM tollgate.entry GROUP BY 1) e ON e.account_id = w.id
       LEFT JOIN (SELECT account_id, sum(hold_micros) AS h FROM tollgate.operation GROUP BY 1) o ON o.account_id = w.id
     WHERE w.balance_micros <> 10000000000000 + coalesce(e.s, 0) OR w.reserved_micros <> coalesce(o.h, 0)
       OR w.entry_seq <> coalesce(e.n, 0)`,
  );
  if (wrong.length > 0) throw new Error(`the ledger does not hold for ${wrong.length} wallets`);
};

const onServer = async (settings: readonly string[], body: (url: string) => Promise<void>): Promise<void> => {
  const keeper = await startKeeper(settings);
  try {
    const { url } = await createTestDatabase(await keeper.server());
    const storage = await postgresStorage({ connectionString: url });
    await addAccounts(storage, accounts);
    await storage.close();
    await body(url);
    await audit(url);
  } finally {
    await keeper.stop();
  }
};

const printReport = (): void => {
  console.log('condition\tform\twallets\tin flight\tpairs/s\treserve p50 ms\treserve p99 ms');
  for (const { of, results } of taken.values()) {
    const p50 = median(results.map((result) => result.openP50Ms));
    const p99 = median(results.map((result) => result.openP99Ms));
    console.log(`${keyOf(of)}\t${Math.round(perSecond(of))}\t${p50.toFixed(2)}\t${p99.toFixed(2)}`);
  }
};

const plain = 'this disk, loopback';
const slow = ['commit +1 ms', 'commit +5 ms', 'round trip 2 ms'] as const;

const hotPerSecond = (condition: string, form: Form, inFlight: number): number =>
  perSecond({ condition, form, wallets: 1, inFlight });

const verdict = (goal: string, value: number, bound: number): void =>
  console.log(`${value >= bound ? 'met' : 'MISSED'}\t${goal}: ${value.toFixed(2)} (at least ${bound})`);

const printVerdicts = (): void => {
  for (const form of ['statement a step', 'transaction a step'] as const)
    for (const inFlight of [64, 256])
      verdict(
        `hot wallet, ${inFlight} in flight, over a ${form}`,
        hotPerSecond(plain, 'gathered', inFlight) / hotPerSecond(plain, form, inFlight),
        10,
      );
  verdict(
    'two processes at 128 over one at 256',
    hotPerSecond(plain, 'gathered, 2 processes', 128) / hotPerSecond(plain, 'gathered, 1 process', 256),
    0.8,
  );
  for (const condition of slow)
    verdict(
      `${condition}, 256 in flight, kept of the speed`,
      hotPerSecond(condition, 'gathered', 256) / hotPerSecond(plain, 'gathered', 256),
      0.4,
    );
};

const both = (form: Form, inFlights: readonly number[]): readonly Row[] =>
  inFlights.flatMap((inFlight) => [[form, 1, inFlight] as const, [form, 1_000, inFlight] as const]);
const slowRows: readonly Row[] = [
  ['row update', 1, 16],
  ['statement a step', 1, 64],
  ['gathered', 1, 64],
  ['statement a step', 1, 256],
  ['gathered', 1, 256],
];

await onServer([], async (url) => {
  await measure(plain, url, [
    ...both('row update', [1, 16]),
    ...[1, 16, 64, 256].flatMap((inFlight) => [
      ...both('statement a step', [inFlight]),
      ['transaction a step', 1, inFlight] as const,
      ...both('gathered', [inFlight]),
    ]),
    ['gathered, 1 process', 1, 256],
    ['gathered, 2 processes', 1, 128],
  ]);
  const proxy = await startDelayProxy(url, 2);
  await measure('round trip 2 ms', proxy.url, slowRows);
  proxy.close();
});
for (const delayMs of [1, 5])
  await onServer([`commit_delay=${delayMs * 1_000}`, 'commit_siblings=0'], (url) =>
    measure(`commit +${delayMs} ms`, url, slowRows),
  );
printReport();
printVerdicts();
