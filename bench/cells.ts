// Reserve and settle over one, two and four cells, each a PostgreSQL server of its own, against one server without cells.
// node --conditions=@tollgate/source bench/cells.ts [--seconds 3] [--rounds 5] [--commit-ms 20 --steps 16]
// All servers share the processors of one machine. With `--commit-ms` each commit waits so long, and takes at most so many steps: then
// the servers are what limits, as where each has a machine of its own, and the processors are not.
import { parseArgs } from 'node:util';
import type { Storage } from '@tollgate/storage';
import { cells } from '@tollgate/storage-cells';
import { postgresStorage } from '@tollgate/storage-postgres';
import { createTestDatabase, startKeeper } from '../test/postgres-server.ts';
import { accountIds, addAccounts, pairOn, pairsPerSecond, percentile, runLoad, type RunPair } from './ledger-load.ts';

const { values: flags } = parseArgs({
  options: {
    seconds: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '5' },
    'commit-ms': { type: 'string', default: '0' },
    steps: { type: 'string', default: '512' },
  },
});
const durationMs = Number(flags.seconds) * 1_000;
const accounts = accountIds(64);
const commitMs = Number(flags['commit-ms']);
const inFlight = commitMs === 0 ? 64 : 192;
const settings = commitMs === 0 ? [] : [`commit_delay=${commitMs * 1_000}`, 'commit_siblings=0'];
const names = ['a', 'b', 'c', 'd'];

const keepers = await Promise.all(names.map(() => startKeeper(settings)));
const servers = await Promise.all(keepers.map((keeper) => keeper.server()));

const openServer = async (at: number): Promise<Storage> => {
  const server = servers[at];
  if (server === undefined) throw new Error(`there is no server ${at}`);
  const { url } = await createTestDatabase(server);
  return postgresStorage({
    connectionString: url,
    stepsPerBatchMax: Number(flags.steps),
    batchConnections: commitMs === 0 ? 2 : 1,
  });
};

const openCells = async (count: number): Promise<Storage> => {
  const storages = await Promise.all(names.slice(0, count).map((_, at) => openServer(at)));
  return cells({ cells: Object.fromEntries(storages.map((storage, at) => [names[at] ?? '', storage])) });
};

interface Row {
  readonly title: string;
  readonly storage: Storage;
  readonly pair: RunPair;
  readonly rates: number[];
}

const rowOf = (title: string, storage: Storage): Row => ({ title, storage, pair: pairOn(storage), rates: [] });

const rows: readonly Row[] = [
  rowOf('one server, no cells', await openServer(0)),
  rowOf('1 cell', await openCells(1)),
  rowOf('2 cells', await openCells(2)),
  rowOf('4 cells', await openCells(4)),
];
for (const { storage, pair } of rows) {
  await addAccounts(storage, accounts);
  await runLoad(pair, { accounts, inFlight, durationMs: 2_000 });
}
// In turn, so that what else the machine does falls on all of them.
for (let round = 0; round < Number(flags.rounds); round += 1)
  for (const { pair, rates } of rows)
    rates.push(pairsPerSecond(await runLoad(pair, { accounts, inFlight, durationMs })));

const one = percentile(rows[0]?.rates ?? [], 0.5);
console.log('| storage | pairs a second (least to most) | against one server |\n| --- | --- | --- |');
for (const { title, rates } of rows) {
  const median = percentile(rates, 0.5);
  const range = `${Math.min(...rates).toFixed(0)} to ${Math.max(...rates).toFixed(0)}`;
  console.log(`| ${title} | ${median.toFixed(0)} (${range}) | ${(median / one).toFixed(2)} |`);
}
for (const { storage } of rows) await storage.close();
for (const keeper of keepers) await keeper.stop();
