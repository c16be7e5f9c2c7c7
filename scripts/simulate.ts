// Lives histories of the engine with faults at every await:
// node --conditions=@tollgate/source scripts/simulate.ts <count> [seed]
import { describeBreaches } from '../test/proof/simulation/describe-breaches.ts';
import { runHistories } from '../test/proof/simulation/run-histories.ts';

const [count = '100000', seed = '1'] = process.argv.slice(2);
const started = performance.now();
const report = await runHistories({ count: Number(count), seed: Number(seed) });
const seconds = (performance.now() - started) / 1_000;

for (const line of describeBreaches(report)) console.log(line);
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
process.exitCode = report.brokenCount === 0 ? 0 : 1;
