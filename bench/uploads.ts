// Eight files of 20 MiB uploaded at once, over real sockets: the peak of resident memory, and the time. Beside it the same body
// read and parsed whole. `npm run bench:uploads -- [--uploads 8] [--times 3] [--rounds 1]`
import { parseArgs } from 'node:util';
import { findBuild } from './build-state.ts';
import { describeMachine } from './machine.ts';
import { createPinning } from './pinning.ts';
import { verdictTable } from './report.ts';
import type { Stage } from './session.ts';
import { judgeUploads, measureUploadPart, uploadLoad, writeUploadReport } from './upload-part.ts';

const { values } = parseArgs({
  options: {
    uploads: { type: 'string', default: String(uploadLoad.uploads) },
    times: { type: 'string', default: String(uploadLoad.times) },
    rounds: { type: 'string', default: '1' },
  },
});
const load = { uploads: Number(values.uploads), times: Number(values.times) };
const stage: Stage = { pinning: createPinning(), build: findBuild('either'), nodeFlags: [] };
const measurements = await measureUploadPart(stage, Number(values.rounds), load);
const verdicts = judgeUploads(measurements);
console.log(JSON.stringify(describeMachine()));
console.log(`${writeUploadReport(measurements, load)}\n${verdictTable(verdicts)}`);
// Throughput depends on what else the machine does; the peak does not.
process.exitCode = verdicts[0]?.met === true ? 0 : 1;
