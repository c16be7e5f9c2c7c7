// Measures event streams beside the floor and a peer, in interleaved rounds: node bench/streams.ts [flags]
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { findBuild } from './build-state.ts';
import type { Ports } from './contestants.ts';
import { launch, untilListening, type Program, type Running } from './launch.ts';
import type { StreamJob, StreamReport } from './load/stream-job.ts';
import { describeMachine } from './machine.ts';
import { createPinning } from './pinning.ts';
import { nextPort } from './ports.ts';
import { freshFolder, runMeasuring, type Stage } from './session.ts';
import { chooseStreamContestants, type StreamContestant } from './stream-contestants.ts';
import { judgeStreams, type StreamMeasurement } from './stream-goals.ts';
import { writeStreamReport } from './stream-report.ts';

const usage = `node bench/streams.ts [flags]
  --rounds 3          rounds; each runs every row in a fresh process, every other round in reverse order
  --streams 1000      streams at once
  --rate 50           events a second of each stream
  --seconds 5         measured time, with all streams running
  --ramp-ms 2000      streams are opened evenly over so long
  --chars 24          characters of text in an event
  --only pipe,normal  rows: direct, pipe, normal, portkey
  --from dist|src     run our gateway from the build or the sources (default: the build where there is one)`;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    streams: { type: 'string', default: '1000' },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '5' },
    'ramp-ms': { type: 'string', default: '2000' },
    chars: { type: 'string', default: '24' },
    only: { type: 'string' },
    from: { type: 'string', default: 'either' },
    help: { type: 'boolean', default: false },
  },
});

const fromOf = (text: string) => (text === 'dist' || text === 'src' ? text : 'either');

const settleMs = 1_000;
/** Streams go on a little longer than they are measured, as the first of them was opened before the last. */
const marginMs = 1_000;
const endMsMax = 30_000;
/** Before anything is measured: a few streams, so that hot functions are compiled. */
const warmUp = { streams: 200, rampMs: 500, settleMs: 0, measuredMs: 2_000 } as const;

const streamMs = (job: Pick<StreamJob, 'rampMs' | 'settleMs' | 'measuredMs'>): number =>
  job.rampMs + job.settleMs + job.measuredMs + marginMs;

interface Wanted {
  readonly streams: number;
  readonly rampMs: number;
  readonly settleMs: number;
  readonly measuredMs: number;
}

const wanted: Wanted = {
  streams: Number(flags.streams),
  rampMs: Number(flags['ramp-ms']),
  settleMs,
  measuredMs: Number(flags.seconds) * 1_000,
};

const events = Math.ceil((streamMs(wanted) / 1_000) * Number(flags.rate));

const startUpstream = async (stage: Stage, port: number): Promise<Running> => {
  const script = path.join(import.meta.dirname, 'mock/stream-upstream.ts');
  const pace = ['--rate', flags.rate, '--events', String(events), '--chars', flags.chars];
  const upstream = launch(stage.pinning, {
    place: 'measuring',
    command: [process.execPath, script, String(port), ...pace],
    port,
  });
  await untilListening(port);
  return upstream;
};

const startGateway = async (
  stage: Stage,
  contestant: StreamContestant,
  ports: Ports,
  databasePath: string,
): Promise<{ readonly running: Running; readonly firstLine: string } | null> => {
  if (contestant.run === null) return null;
  const nodeFlags = contestant.ours ? [...stage.build.nodeFlags, ...stage.nodeFlags] : [];
  const command = [process.execPath, ...nodeFlags, ...contestant.run(ports, databasePath)];
  const program: Program = { place: 'gateway', command, port: ports.port };
  const running = launch(stage.pinning, program);
  await untilListening(ports.port);
  return { running, firstLine: contestant.announces ? await running.firstLine : '' };
};

const measureOne = async (stage: Stage, contestant: StreamContestant, round: number): Promise<StreamMeasurement> => {
  const ports: Ports = { port: nextPort(), upstreamPort: nextPort() };
  const folder = freshFolder();
  const upstream = await startUpstream(stage, ports.upstreamPort);
  const gateway = await startGateway(stage, contestant, ports, path.join(folder, 'bench.db'));
  const port = contestant.run === null ? ports.upstreamPort : ports.port;
  const job = {
    request: { ...contestant.request(ports, gateway?.firstLine ?? ''), port, identities: false },
    gatewayPid: gateway?.running.pid ?? upstream.pid,
    upstreamPid: upstream.pid,
    events,
    endMsMax,
  };
  const run = async (each: Wanted): Promise<StreamReport> => {
    const full: StreamJob = { ...job, ...each };
    // Written by the load process of this very folder.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return JSON.parse(await runMeasuring(stage.pinning, 'streams.ts', full)) as StreamReport;
  };
  try {
    await run(warmUp);
    return { contestant: contestant.id, round, report: await run(wanted) };
  } finally {
    await gateway?.running.stop();
    await upstream.stop();
    rmSync(folder, { recursive: true, force: true });
  }
};

const measureAll = async (stage: Stage, chosen: readonly StreamContestant[]): Promise<readonly StreamMeasurement[]> => {
  const all: StreamMeasurement[] = [];
  for (let round = 1; round <= Number(flags.rounds); round += 1) {
    for (const contestant of round % 2 === 1 ? chosen : chosen.toReversed()) {
      console.error(`round ${round} of ${flags.rounds}: ${contestant.title}`);
      all.push(await measureOne(stage, contestant, round));
    }
  }
  return all;
};

const main = async (): Promise<void> => {
  if (flags.help) {
    console.log(usage);
    return;
  }
  const { chosen, missing } = chooseStreamContestants(flags.only?.split(/[ ,]+/).filter(Boolean) ?? null);
  const stage: Stage = { pinning: createPinning(), build: findBuild(fromOf(flags.from)), nodeFlags: [] };
  if (!stage.pinning.pinned) console.error('Not pinned: there is one core, or no taskset. Rows share cores.');
  console.error(
    `Our gateway runs from ${stage.build.from}. Older than its sources: ${stage.build.stale.join(', ') || 'none'}.`,
  );
  if (missing.length > 0) console.error(`Not installed (node bench/peers/setup.ts): ${missing.join(', ')}.`);
  const machine = describeMachine();
  const measurements = await measureAll(stage, chosen);
  const verdicts = judgeStreams(measurements);
  console.log(`### ${flags.streams} streams at ${flags.rate} events a second\n`);
  console.log(writeStreamReport(chosen, measurements, verdicts));
  const { from, stale } = stage.build;
  const setting = { from, stale, pinned: stage.pinning.pinned, missing, flags, events };
  const folder = path.join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const file = path.join(folder, `streams-${new Date().toISOString().slice(0, 19).replaceAll(':', '')}.json`);
  writeFileSync(file, `${JSON.stringify({ machine, setting, verdicts, measurements }, null, 1)}\n`);
  console.log(`saved as ${file}`);
};

await main();
