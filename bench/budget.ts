// What one metered chat does in the process of the gateway, counted and not timed: npm run bench:budget
import path from 'node:path';
import { findBuild } from './build-state.ts';
import { chooseContestants, type Contestant } from './contestants.ts';
import { askForFile, sendOneByOne } from './lone-chats.ts';
import { createPinning } from './pinning.ts';
import { freshFolder, startSession } from './session.ts';

type Sums = Readonly<Record<string, number>>;

const rows = ['pipe', 'undici-pipe', 'hono', 'memory', 'normal', 'full'];
/** Caches are filled and functions compiled by then. */
const warmUpRequests = 3_000;
const requests = 500;
/** A young generation that one measurement does not fill: nothing is collected while it is counted. */
const roomFlags = ['--expose-gc', '--min-semi-space-size=256', '--max-semi-space-size=256'];

const askSums = async (pid: number, file: string): Promise<Sums> =>
  // Written by `gateways/count-parts.ts`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  (await askForFile(pid, file)) as Sums;

/** The sums of one request, each an average. */
const countOf = async (contestant: Contestant, of: 'events' | 'memory'): Promise<Sums> => {
  const file = path.join(freshFolder(), 'sums.json');
  process.env['BUDGET_FILE'] = file;
  process.env['BUDGET_OF'] = of;
  const counter = `--import=${path.join(import.meta.dirname, 'gateways/count-parts.ts')}`;
  const nodeFlags = [...roomFlags, counter];
  const counted = { ...contestant, run: contestant.run, ours: true };
  const session = await startSession({ pinning: createPinning(), build: findBuild('either'), nodeFlags }, counted, 0);
  try {
    await sendOneByOne(session.request(), warmUpRequests, 'w');
    const before = await askSums(session.pids.gatewayPid, file);
    await sendOneByOne(session.request(), requests, 'm');
    const after = await askSums(session.pids.gatewayPid, file);
    return Object.fromEntries(
      Object.entries(after).map(([name, sum]) => [name, (sum - (before[name] ?? 0)) / requests]),
    );
  } finally {
    await session.stop();
  }
};

const wanted = process.argv.slice(2);
const { chosen } = chooseContestants(wanted.length === 0 ? rows : wanted);
const table: Record<string, Record<string, string>> = {};
for (const contestant of chosen) {
  const sums = { ...(await countOf(contestant, 'events')), ...(await countOf(contestant, 'memory')) };
  for (const [name, value] of Object.entries(sums)) {
    table[name] ??= {};
    table[name][contestant.id] = name.startsWith('bytes') ? value.toFixed(0) : value.toFixed(1);
  }
}
console.log('One chat, on one connection, counted in the process of the gateway:');
console.table(table);
