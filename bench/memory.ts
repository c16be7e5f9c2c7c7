// What a process keeps of the memory that a load took, beside the pipe: npm run bench:memory -- [flags]
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { findBuild } from './build-state.ts';
import { fromOf, listOf } from './flag-values.ts';
import { createPinning } from './pinning.ts';
import { table } from './report.ts';
import { saveResult } from './save-result.ts';
import type { Stage } from './session.ts';
import { medianOf } from './statistics.ts';
import { chooseStreamContestants, type StreamContestant } from './stream-contestants.ts';
import { startStreamSession, timesOf, type StreamLoad } from './stream-measurements.ts';

const usage = `npm run bench:memory -- [flags]
  --rounds 3          rounds; each runs every row in a fresh process, every other round in reverse order
  --streams 400       streams at once, at 50 events a second each
  --only pipe,normal  rows, as of npm run bench:streams
  --from dist|src     run our gateway from the build or the sources (default: the build where there is one)`;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    streams: { type: 'string', default: '400' },
    only: { type: 'string', default: 'pipe,normal' },
    from: { type: 'string', default: 'either' },
    help: { type: 'boolean', default: false },
  },
});

interface MemoryMeasurement {
  readonly contestant: string;
  readonly round: number;
  readonly beforeMib: number;
  readonly duringMib: number;
  readonly peakMib: number;
  readonly afterMib: number;
}

/** A process that was just started is still at it for a moment. */
const restMs = 3_000;
/** The upstream of a stream whose client has left is read to its end, which takes up to 17 seconds. */
const afterMs = 50_000;
const ratioMost = { during: 1.5, after: 1.5 } as const;

const load: StreamLoad = { streams: Number(flags.streams), rate: 50, seconds: 5, rampMs: 2_000, chars: 24 };
const firstCall = { ...timesOf(load), streams: 1, rampMs: 100, settleMs: 0, measuredMs: 100 };

const measureOne = async (stage: Stage, contestant: StreamContestant, round: number): Promise<MemoryMeasurement> => {
  const session = await startStreamSession(stage, contestant, load);
  try {
    await session.run(firstCall);
    await delay(restMs);
    const beforeMib = session.memory().rssMib;
    const { memory, failures } = await session.run(timesOf(load));
    if (failures > 0) throw new Error(`${contestant.title}: ${failures} streams failed`);
    await delay(afterMs);
    const { rssMib: afterMib, peakMib } = session.memory();
    return { contestant: contestant.id, round, beforeMib, duringMib: memory.rssMib, peakMib, afterMib };
  } finally {
    await session.stop();
  }
};

const measureAll = async (stage: Stage, rows: readonly StreamContestant[]): Promise<readonly MemoryMeasurement[]> => {
  const all: MemoryMeasurement[] = [];
  for (let round = 1; round <= Number(flags.rounds); round += 1)
    for (const row of round % 2 === 1 ? rows : rows.toReversed()) {
      console.error(`round ${round} of ${flags.rounds}: ${row.title}`);
      all.push(await measureOne(stage, row, round));
    }
  return all;
};

type Pick = (measurement: MemoryMeasurement) => number;

/** The ratio of each round, and their median. */
const ratios = (values: readonly number[]): string =>
  `${medianOf(values).toFixed(2)} (${values.map((value) => value.toFixed(2)).join(', ')})`;

const write = (rows: readonly StreamContestant[], all: readonly MemoryMeasurement[]): string => {
  const of = (id: string): readonly MemoryMeasurement[] => all.filter(({ contestant }) => contestant === id);
  const inPipes = (mine: readonly MemoryMeasurement[], pick: Pick): string =>
    ratios(
      mine.flatMap((each) =>
        of('pipe').flatMap((pipe) => (pipe.round === each.round ? [pick(each) / pick(pipe)] : [])),
      ),
    );
  const cells = rows.map(({ id, title }) => {
    const mine = of(id);
    const median = (pick: Pick): string => medianOf(mine.map(pick)).toFixed(0);
    return [
      title,
      median(({ beforeMib }) => beforeMib),
      median(({ duringMib }) => duringMib),
      median(({ peakMib }) => peakMib),
      median(({ afterMib }) => afterMib),
      inPipes(mine, ({ duringMib }) => duringMib),
      ratios(mine.map(({ afterMib, beforeMib }) => afterMib / beforeMib)),
    ];
  });
  const head = ['row', 'before MiB', 'during MiB', 'peak MiB', 'after MiB', 'during, in pipes', 'after, in before'];
  const asked = `Asked: during ≤ ${ratioMost.during} pipes, after ≤ ${ratioMost.after} × before.`;
  return `### ${load.streams} streams\n\n${table(head, cells)}\n\n${asked}`;
};

const main = async (): Promise<void> => {
  if (flags.help) {
    console.log(usage);
    return;
  }
  const { chosen } = chooseStreamContestants(listOf(flags.only));
  const build = findBuild(fromOf(flags.from));
  const stage: Stage = { pinning: createPinning(), build, nodeFlags: [] };
  console.error(`Our gateway runs from ${build.from}. Older than its sources: ${build.stale.join(', ') || 'none'}.`);
  const measurements = await measureAll(stage, chosen);
  console.log(write(chosen, measurements));
  console.log(`saved as ${saveResult('memory', { from: build.from, stale: build.stale, flags, measurements })}`);
};

await main();
