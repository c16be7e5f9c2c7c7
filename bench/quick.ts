// A minute's check that the metered path has not become dearer: npm run bench:quick
import { findBuild } from './build-state.ts';
import { chooseContestants } from './contestants.ts';
import { costInFloors, floorRows } from './goals.ts';
import { closedLoad, measureClosed, type Measurement } from './measurements.ts';
import { createPinning } from './pinning.ts';
import { writeReport } from './report.ts';
import type { Stage } from './session.ts';

const connections = 64;
const rounds = 2;
const seconds = 1.5;

/**
 * CPU of a metered chat on SQLite, synchronous FULL, in floors. CPU is what a busy machine disturbs least, and the floor of
 * the same round is disturbed alike; a quarter is left for what remains.
 */
const costInFloorsMax = 7;

const measure = async (stage: Stage): Promise<readonly Measurement[]> => {
  const { chosen } = chooseContestants([...floorRows, 'full']);
  const measured: Measurement[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const contestant of round % 2 === 1 ? chosen : chosen.toReversed())
      measured.push(...(await measureClosed(stage, contestant, round, { levels: [connections], seconds })));
  console.log(writeReport(chosen, measured));
  return measured;
};

/** On a machine that is not quiet the rows of a round are disturbed alike. */
const isWhole = ({ report }: Measurement): boolean => report.failures === 0;

const stage: Stage = { pinning: createPinning(), build: findBuild('either'), nodeFlags: [] };
const measured = await measure(stage);
const failures = measured.reduce((sum, { report }) => sum + report.failures, 0);
const cost = costInFloors(measured, closedLoad(connections), 'full', isWhole);
console.log(`${closedLoad(connections)}, from ${stage.build.from}: a metered chat costs ${cost.toFixed(2)} floors`);
if (failures > 0 || Number.isNaN(cost) || cost > costInFloorsMax) {
  console.error(`at most ${costInFloorsMax} are fine, and no failure; there were ${failures}`);
  process.exitCode = 1;
}
