// Measures sessions at 50 frames a second each way beside a bare `ws` relay, in interleaved rounds: npm run bench:live -- [flags]
import { parseArgs } from 'node:util';
import { findBuild } from './build-state.ts';
import { fromOf, listOf } from './flag-values.ts';
import { foreignCpuPercentMax, judgeLive } from './live-goals.ts';
import { writeLiveReport } from './live-report.ts';
import { liveRows, measureLive } from './live-rows.ts';
import { describeMachine } from './machine.ts';
import { createPinning } from './pinning.ts';
import { verdictTable } from './report.ts';
import { saveResult } from './save-result.ts';
import type { Stage } from './session.ts';

const { values: flags } = parseArgs({
  options: {
    sessions: { type: 'string', default: '500,1000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
    /** The rows that are measured, by their ids. */
    only: { type: 'string', default: liveRows.map(({ id }) => id).join(',') },
    /** `dist` or `src`; by default the build where there is one. */
    from: { type: 'string', default: 'either' },
    /** Percent of a core that the rest of the machine may take in a measurement that is judged; more makes it a rougher guide. */
    foreign: { type: 'string', default: String(foreignCpuPercentMax) },
    'node-flags': { type: 'string', default: '' },
  },
});

const stage: Stage = {
  pinning: createPinning(),
  build: findBuild(fromOf(flags.from)),
  nodeFlags: listOf(flags['node-flags']),
};
if (!stage.pinning.pinned) console.error('Not pinned: there is one core, or no taskset. Rows share cores.');
const { from, stale } = stage.build;
console.error(`Our gateway runs from ${from}. Older than its sources: ${stale.join(', ') || 'none'}.`);
const machine = describeMachine();
const measurements = await measureLive(stage, {
  sessions: listOf(flags.sessions).map(Number),
  rounds: Number(flags.rounds),
  seconds: Number(flags.seconds),
  rows: liveRows.filter(({ id }) => listOf(flags.only).includes(id)),
});
const verdicts = judgeLive(measurements, Number(flags.foreign));
console.log(`${writeLiveReport(measurements)}\n${verdictTable(verdicts)}`);
const setting = { from, stale, pinned: stage.pinning.pinned, flags };
console.log(`saved as ${saveResult('live', { machine, setting, verdicts, measurements })}`);
