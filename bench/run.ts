// Measures Tollgate beside the floor and its peers in one interleaved run: npm run bench -- [flags]
import { parseArgs } from 'node:util';
import { findBuild } from './build-state.ts';
import { fromOf, listOf } from './flag-values.ts';
import { measureColdStarts } from './cold-start.ts';
import { chooseContestants, type Contestant } from './contestants.ts';
import { judge } from './goals.ts';
import { describeMachine } from './machine.ts';
import { measureBurst, measureClosed, measureOpen, type Measurement } from './measurements.ts';
import { measureLaterParts, sessionCounts } from './later-parts.ts';
import { createPinning } from './pinning.ts';
import { createTestDatabase, startKeeper } from '../test/postgres-server.ts';
import { verdictTable, writeReport } from './report.ts';
import { saveResult } from './save-result.ts';
import type { Stage } from './session.ts';
import { chooseStreamContestants, type StreamContestant } from './stream-contestants.ts';
import { streamCounts } from './stream-part.ts';

const everyPhase = 'closed,open,burst,start,streams,uploads,live,deliveries';

const usage = `npm run bench -- [flags]
  --rounds 3          rounds; each runs every row in a fresh process, every other round in reverse order
  --seconds 3         measured time of each load
  --levels 1,16,64,256  connections of the closed loops
  --only pipe,full    rows: direct, pipe, undici-pipe, hono, memory, full, normal, even, even-normal, limits,
                      limits-postgres, full-limits, telemetry, cap, business, full-2, full-4, normal-2, normal-4, postgres, postgres-2, postgres-4,
                      identities, portkey, llms; of streams: direct, pipe, normal, small, portkey
  --phases ${everyPhase}
  --streams ${streamCounts}  event streams at once, one table each
  --sessions ${sessionCounts}  realtime sessions at once, one table each
  --from dist|src     run our gateway from the build or the sources (default: the build where there is one)
  --gateway-cores 0,1 cores of the gateway (default 0); the load and the mock share core 1
  --node-flags "--max-semi-space-size=16"   flags of Node for our gateway`;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '3' },
    levels: { type: 'string', default: '1,16,64,256' },
    only: { type: 'string' },
    phases: { type: 'string', default: everyPhase },
    streams: { type: 'string', default: streamCounts },
    sessions: { type: 'string', default: sessionCounts },
    from: { type: 'string', default: 'either' },
    'gateway-cores': { type: 'string', default: '0' },
    'node-flags': { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const coldStarts = 7;
/** Rows whose peak with large bodies says something. */
const burstRows = new Set(['pipe', 'memory', 'full', 'portkey', 'llms']);

interface Plan {
  readonly stage: Stage;
  readonly contestants: readonly Contestant[];
  readonly phases: ReadonlySet<string>;
  readonly rounds: number;
  readonly seconds: number;
}

const measureOne = async (plan: Plan, contestant: Contestant, round: number): Promise<readonly Measurement[]> => {
  const { stage, phases, seconds } = plan;
  const measured: Measurement[] = [];
  if (phases.has('closed') && !contestant.openOnly) {
    const closed = { levels: listOf(flags.levels).map(Number), seconds };
    measured.push(...(await measureClosed(stage, contestant, round, closed)));
  }
  if (phases.has('open')) measured.push(...(await measureOpen(stage, contestant, round, seconds * 2)));
  if (phases.has('burst') && burstRows.has(contestant.id))
    measured.push(...(await measureBurst(stage, contestant, round)));
  return measured;
};

const measureAll = async (plan: Plan): Promise<readonly Measurement[]> => {
  const all: Measurement[] = [];
  for (let round = 1; round <= plan.rounds; round += 1) {
    const order = round % 2 === 1 ? plan.contestants : plan.contestants.toReversed();
    for (const contestant of order) {
      console.error(`round ${round} of ${plan.rounds}: ${contestant.title}`);
      all.push(...(await measureOne(plan, contestant, round)));
    }
  }
  return all;
};

const warn = (stage: Stage, missing: readonly string[]): void => {
  if (!stage.pinning.pinned)
    console.error('Not pinned: there is one core, or no taskset. Rows share cores with the load.');
  console.error(`Our gateway runs from ${stage.build.from}.`);
  if (stage.build.stale.length > 0)
    console.error(`Older than its sources: ${stage.build.stale.join(', ')}. Build first.`);
  if (missing.length > 0) console.error(`Not installed (node bench/peers/setup.ts): ${missing.join(', ')}.`);
};

/** A real server from a package, for the row that needs one; the gateway finds it by its environment. */
const startPostgres = async (): Promise<{ readonly stop: () => Promise<void> }> => {
  const keeper = await startKeeper();
  const database = await createTestDatabase(await keeper.server());
  process.env['BENCH_POSTGRES'] = database.url;
  return { stop: () => keeper.stop() };
};

/** A row that is measured under streams only is no row of the requests. */
const streamRowsOnly = new Set(['small']);

const chooseRows = (): ReturnType<typeof chooseContestants> =>
  chooseContestants(flags.only === undefined ? null : listOf(flags.only).filter((id) => !streamRowsOnly.has(id)));

/** Rows of streams that were asked for; the names of the others belong to the other loads. */
const chooseStreams = (): readonly StreamContestant[] => {
  const { chosen } = chooseStreamContestants(null);
  if (flags.only === undefined) return chosen;
  const only = new Set(listOf(flags.only));
  return chosen.filter(({ id }) => only.has(id));
};

const main = async (): Promise<void> => {
  if (flags.help) {
    console.log(usage);
    return;
  }
  const { chosen, missing } = chooseRows();
  const stage: Stage = {
    pinning: createPinning(flags['gateway-cores']),
    build: findBuild(fromOf(flags.from)),
    nodeFlags: listOf(flags['node-flags']),
  };
  warn(stage, missing);
  const phases = new Set(listOf(flags.phases));
  const plan = { stage, contestants: chosen, phases, rounds: Number(flags.rounds), seconds: Number(flags.seconds) };
  const machine = describeMachine();
  const postgres = chosen.some(({ id }) => id.includes('postgres')) ? await startPostgres() : null;
  const measurements = await measureAll(plan);
  await postgres?.stop();
  const starts = phases.has('start') ? await measureColdStarts(stage, coldStarts) : null;
  const later = await measureLaterParts({
    ...plan,
    streamContestants: chooseStreams(),
    streams: listOf(flags.streams).map(Number),
    sessions: listOf(flags.sessions).map(Number),
  });
  const verdicts = [...judge(measurements, starts), ...later.verdicts];
  const { from, stale } = stage.build;
  const setting = { from, stale, pinned: stage.pinning.pinned, nodeFlags: stage.nodeFlags, missing };
  console.log(`${writeReport(chosen, measurements)}\n${later.report}\n${verdictTable(verdicts)}`);
  console.log(`${JSON.stringify({ ...machine, ...setting }, null, 1)}\n`);
  console.log(
    `saved as ${saveResult('bench', { machine, setting, flags, verdicts, starts, measurements, ...later.measurements })}`,
  );
};

await main();
