// What the worst things cost that a client can send, by the contract's own schemas, and what another tenant waits meanwhile:
// npm run hostile -- [--shallow] [--surfaces createAgent,google,multipart,live] [--limit-2 60] [--limit-20 400] [--stop-2 60]
//   [--stop-20 60] [--flood-seconds 5] [--flood-runs 3] [--flood-senders 4] [--flood-ratio 3] [--rows 12] [--runs 5]
import { mkdirSync, rmSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { runFlood, type Flood } from './hostile/flood.ts';
import { startHostileProcess } from './hostile/gateway-process.ts';
import { runHostile, type HostileSize, type HostileTable, type PlaceCost } from './hostile/run-hostile.ts';
import { holds, verdictRows, type Verdict } from './hostile/verdicts.ts';

const { values: flags } = parseArgs({
  options: {
    /** Parts of the names of routes or ways in. */
    surfaces: { type: 'string', default: '' },
    /** Milliseconds of CPU that 2 MB may cost. */
    'limit-2': { type: 'string', default: '60' },
    'limit-20': { type: 'string', default: '400' },
    /** Milliseconds that the event loop may stand still for 2 MB. */
    'stop-2': { type: 'string', default: '60' },
    'stop-20': { type: 'string', default: '60' },
    /** How often as long another tenant may wait during the flood, by the 99th percentile. */
    'flood-ratio': { type: 'string', default: '3' },
    /** 0 for no flood. */
    'flood-seconds': { type: 'string', default: '5' },
    'flood-runs': { type: 'string', default: '3' },
    'flood-senders': { type: 'string', default: '4' },
    rows: { type: 'string', default: '12' },
    runs: { type: 'string', default: '5' },
    /** The outer places of each body and the content that costs most: a look at every route in less than five minutes. */
    shallow: { type: 'boolean', default: false },
  },
});

const msPerSecond = 1_000;
/** Below 2,000,000, which the routes take. */
const smallBytes = 1_999_000;
const largeBytes = 19_990_000;
/** What the key of the security review had. */
const poorMicros = 1_000n;

const sizes: readonly HostileSize[] = [
  {
    bytes: smallBytes,
    limitMs: Number(flags['limit-2']),
    stopLimitMs: Number(flags['stop-2']),
    placeDepthMax: flags.shallow ? 2 : 4,
  },
  {
    bytes: largeBytes,
    limitMs: Number(flags['limit-20']),
    stopLimitMs: Number(flags['stop-20']),
    placeDepthMax: flags.shallow ? 1 : 2,
  },
];

const load = (): string =>
  `load ${loadavg()
    .map((share) => share.toFixed(2))
    .join(' ')} on ${cpus().length} cores`;

const seconds = (): string => (performance.now() / msPerSecond).toFixed(0).padStart(4);

const showPlace = ({ bytes }: HostileSize, { surface, place, shots, worst }: PlaceCost): void =>
  console.log(
    `${seconds()} s  ${bytes} bytes  ${surface}  ${place}  ${shots} shots, the worst ${worst.cpuMs.toFixed(1)} ms of CPU, ` +
      `the loop stopped for ${worst.stopMs.toFixed(1)} ms: ${worst.shot.filler} (${worst.status})`,
  );

const showTable = ({ size, shots, plainMs, worst }: HostileTable): void => {
  console.log(`${size.bytes} bytes, ${shots} shots; plain text costs ${plainMs.toFixed(1)} ms`);
  console.table(
    worst.map(({ shot, cpuMs, stopMs, status }) => ({
      surface: shot.surface,
      place: shot.place,
      filler: shot.filler,
      status,
      'CPU ms': Number(cpuMs.toFixed(1)),
      'of plain text': Number((cpuMs / plainMs).toFixed(1)),
      'stop ms': Number(stopMs.toFixed(1)),
    })),
  );
};

const costVerdicts = ({ size, worst }: HostileTable): readonly Verdict[] => {
  const [costliest] = worst;
  const longest = worst.toSorted((a, b) => b.stopMs - a.stopMs)[0];
  if (costliest === undefined || longest === undefined) return [];
  const by = ({ shot }: typeof costliest): string => `${shot.surface} ${shot.place}: ${shot.filler}`;
  return [
    {
      what: `CPU for ${size.bytes} bytes`,
      measured: costliest.cpuMs,
      limit: size.limitMs,
      unit: 'ms',
      by: by(costliest),
    },
    {
      what: `stop of the loop for ${size.bytes} bytes`,
      measured: longest.stopMs,
      limit: size.stopLimitMs,
      unit: 'ms',
      by: by(longest),
    },
  ];
};

const showFlood = (what: string, { runs }: Flood): void => {
  for (const { quiet, flooded, shots, ratio } of runs)
    console.log(
      `flood of ${what}, ${shots} of them: another tenant waits ${flooded.medianMs.toFixed(1)} ms (99%: ${flooded.p99Ms.toFixed(1)}, ` +
        `${flooded.requests} chats), without it ${quiet.medianMs.toFixed(1)} ms (99%: ${quiet.p99Ms.toFixed(1)}, ` +
        `${quiet.requests} chats); ${ratio.toFixed(1)} times`,
    );
};

const folder = path.resolve(import.meta.dirname, '../node_modules/.cache/hostile');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const gateway = await startHostileProcess({ databasePath: path.join(folder, 'hostile.db') });
console.log(load());

const tables = await runHostile(gateway, {
  sizes,
  surfaces: flags.surfaces.split(',').filter(Boolean),
  isShallow: flags.shallow,
  again: { rows: Number(flags.rows), runs: Number(flags.runs) },
  onPlace: showPlace,
});
for (const table of tables) showTable(table);

const verdicts: Verdict[] = tables.flatMap(costVerdicts);
const floodOptions = {
  senders: Number(flags['flood-senders']),
  forMs: Number(flags['flood-seconds']) * msPerSecond,
  runs: Number(flags['flood-runs']),
  amountMicros: poorMicros,
};
for (const { size, worst } of floodOptions.forMs > 0 ? tables : []) {
  // A flood is of requests: what costs most in a socket is judged by its cost alone.
  const costliest = worst.find(({ shot }) => shot.build().kind === 'http');
  if (costliest === undefined) continue;
  const by = `${costliest.shot.surface} ${costliest.shot.place}: ${costliest.shot.filler}`;
  const flood = await runFlood(gateway, costliest.shot, floodOptions);
  showFlood(`${size.bytes} bytes, ${by}`, flood);
  verdicts.push({
    what: `another tenant's 99th percentile in a flood of ${size.bytes} bytes`,
    measured: flood.ratio,
    limit: Number(flags['flood-ratio']),
    unit: 'times',
    by,
  });
}

await gateway.stop();
rmSync(folder, { recursive: true, force: true });
console.log(`${load()}, ${seconds().trim()} s`);
console.table(verdictRows(verdicts));
const isGood = verdicts.length > 0 && verdicts.every(holds);
console.log(isGood ? 'hostile ok' : `${verdicts.filter((verdict) => !holds(verdict)).length} findings`);
if (!isGood) process.exitCode = 1;
