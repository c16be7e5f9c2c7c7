// Measures event streams beside the floor and a peer, in interleaved rounds: npm run bench:streams -- [flags]
import { parseArgs } from 'node:util';
import { findBuild } from './build-state.ts';
import { fromOf, listOf } from './flag-values.ts';
import { describeMachine } from './machine.ts';
import { createPinning } from './pinning.ts';
import { verdictTable } from './report.ts';
import { saveResult } from './save-result.ts';
import type { Stage } from './session.ts';
import { chooseStreamContestants } from './stream-contestants.ts';
import { judgeStreams } from './stream-goals.ts';
import { measureStreamPart, streamCounts } from './stream-part.ts';
import { writeStreamReport } from './stream-report.ts';

const usage = `npm run bench:streams -- [flags]
  --rounds 3          rounds; each runs every row in a fresh process, every other round in reverse order
  --streams ${streamCounts}  streams at once, one table each
  --rate 50           events a second of each stream
  --seconds 5         measured time, with all streams running
  --ramp-ms 2000      streams are opened evenly over so long
  --chars 24          characters of text in an event
  --only pipe,normal  rows: direct, pipe, normal, small, chat, messages, responses, portkey
  --from dist|src     run our gateway from the build or the sources (default: the build where there is one)
  --node-flags "--max-semi-space-size=16"   flags of Node for our gateway`;

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    streams: { type: 'string', default: streamCounts },
    rate: { type: 'string', default: '50' },
    seconds: { type: 'string', default: '5' },
    'ramp-ms': { type: 'string', default: '2000' },
    chars: { type: 'string', default: '24' },
    only: { type: 'string' },
    from: { type: 'string', default: 'either' },
    'node-flags': { type: 'string', default: '' },
    help: { type: 'boolean', default: false },
  },
});

const main = async (): Promise<void> => {
  if (flags.help) {
    console.log(usage);
    return;
  }
  const { chosen, missing } = chooseStreamContestants(flags.only === undefined ? null : listOf(flags.only));
  const build = findBuild(fromOf(flags.from));
  const stage: Stage = { pinning: createPinning(), build, nodeFlags: listOf(flags['node-flags']) };
  if (!stage.pinning.pinned) console.error('Not pinned: there is one core, or no taskset. Rows share cores.');
  console.error(`Our gateway runs from ${build.from}. Older than its sources: ${build.stale.join(', ') || 'none'}.`);
  if (missing.length > 0) console.error(`Not installed (npm run bench:setup): ${missing.join(', ')}.`);
  const machine = describeMachine();
  const loads = listOf(flags.streams).map((streams) => ({
    streams: Number(streams),
    rate: Number(flags.rate),
    seconds: Number(flags.seconds),
    rampMs: Number(flags['ramp-ms']),
    chars: Number(flags.chars),
  }));
  const measurements = await measureStreamPart({ stage, contestants: chosen, loads, rounds: Number(flags.rounds) });
  const verdicts = judgeStreams(measurements);
  console.log(`${writeStreamReport(chosen, measurements)}\n${verdictTable(verdicts)}`);
  const setting = { from: build.from, stale: build.stale, pinned: stage.pinning.pinned, missing, flags };
  console.log(`saved as ${saveResult('streams', { machine, setting, verdicts, measurements })}`);
};

await main();
