// Lives histories of the shipping engine with faults at every await: node --conditions=@tollgate/source scripts/simulate.ts <count> [seed]
import { runHistories } from '../test/proof/simulation/run-histories.ts';

const [count = '100000', seed = '1'] = process.argv.slice(2);
const started = performance.now();
const report = await runHistories({ count: Number(count), seed: Number(seed) });
const seconds = (performance.now() - started) / 1_000;

for (const { seed: own, setup, breaches } of report.broken)
  for (const { rule, detail } of breaches) console.log(`seed ${own} (${setup.ledger} ledger, ${setup.identities} identities): ${rule}: ${detail}`);
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
