// Lives histories of the engine with faults at every await: of requests that are answered at once,
// of deferred work, or of webhooks and schedules.
// node --conditions=@tollgate/source proof/simulation/simulate.ts [count] [seed] [--work | --events | --stalls]
// `--stalls` lets a worker stall or die at each of its awaits in turn, in every shape, and takes no count.
import { parseArgs } from 'node:util';
import { describeBreaches } from './describe-breaches.ts';
import { describeEvents, runEventHistories } from './events/run-event-histories.ts';
import { createLockstep } from './lockstep.ts';
import { runHistories } from './run-histories.ts';
import { enumerateStalls } from './work/enumerate-stalls.ts';
import { describeWork, runWorkHistories } from './work/run-work-histories.ts';
import { shippingWork } from './work/work-subject.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { work: { type: 'boolean' }, events: { type: 'boolean' }, stalls: { type: 'boolean' } },
});
const [count = values.work === true || values.events === true ? '20000' : '100000', seed = '1'] = positionals;
const input = { count: Number(count), seed: Number(seed) };

const simulate = async () => {
  if (values.work === true) {
    const report = await runWorkHistories(input);
    return { report, lines: describeWork(report) };
  }
  if (values.events === true) {
    const report = await runEventHistories(input);
    return { report, lines: describeEvents(report) };
  }
  const report = await runHistories(input);
  return { report, lines: describeBreaches(report) };
};

const stall = async (): Promise<number> => {
  const report = await enumerateStalls({ subject: shippingWork, lockstep: createLockstep(), thorough: true });
  for (const { rule, detail } of report.broken) console.log(`${rule}: ${detail}`);
  console.log(`cases ${report.cases}, hand-overs ${report.handOvers}, violations ${report.broken.length}`);
  return report.broken.length;
};

const live = async (): Promise<number> => {
  const started = performance.now();
  const { report, lines } = await simulate();
  const seconds = (performance.now() - started) / 1_000;
  for (const line of lines) console.log(line);
  console.log(
    [
      `histories ${report.histories}`,
      `steps ${report.steps}`,
      `faults ${report.faults}`,
      `executions ${report.executions}`,
      `rate ${Math.round(report.histories / seconds)}/s`,
      `violations ${report.brokenCount}`,
    ].join(', '),
  );
  return report.brokenCount;
};

process.exitCode = (values.stalls === true ? await stall() : await live()) === 0 ? 0 : 1;
