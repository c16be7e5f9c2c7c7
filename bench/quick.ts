// A minute's check that the metered path has not become dearer: npm run bench:quick
import { findBuild } from './build-state.ts';
import { chooseContestants } from './contestants.ts';
import { closedLoad, measureClosed, type Measurement } from './measurements.ts';
import { createPinning } from './pinning.ts';
import { writeReport } from './report.ts';
import type { Stage } from './session.ts';
import { medianOf } from './statistics.ts';

const connections = 64;
const rounds = 2;
const seconds = 1.5;

/**
 * CPU of a metered chat on SQLite, synchronous FULL, in bare pipes. CPU is what a busy machine disturbs least, and the pipe of
 * the same round is disturbed alike; a quarter is left for what remains.
 */
const costInPipesMax = 3.5;

const cpuOf = (measured: readonly Measurement[], id: string, round: number): number =>
  measured.find((each) => each.contestant === id && each.round === round)?.report.gatewayCpuMicrosPerRequest ??
  Number.NaN;

const measure = async (stage: Stage): Promise<readonly Measurement[]> => {
  const { chosen } = chooseContestants(['pipe', 'full']);
  const measured: Measurement[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const contestant of round % 2 === 1 ? chosen : chosen.toReversed())
      measured.push(...(await measureClosed(stage, contestant, round, { levels: [connections], seconds })));
  console.log(writeReport(chosen, measured));
  return measured;
};

const stage: Stage = { pinning: createPinning(), build: findBuild('either'), nodeFlags: [] };
const measured = await measure(stage);
const failures = measured.reduce((sum, { report }) => sum + report.failures, 0);
const ratios = Array.from(
  { length: rounds },
  (_, at) => cpuOf(measured, 'full', at + 1) / cpuOf(measured, 'pipe', at + 1),
);
const cost = medianOf(ratios);
console.log(`${closedLoad(connections)}, from ${stage.build.from}: a metered chat costs ${cost.toFixed(2)} bare pipes`);
if (failures > 0 || Number.isNaN(cost) || cost > costInPipesMax) {
  console.error(`at most ${costInPipesMax} are fine, and no failure; there were ${failures}`);
  process.exitCode = 1;
}
