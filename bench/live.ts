// Sessions at 50 frames a second each way through our gateway, beside a bare `ws` relay in the same run, round by round:
// `node --conditions=@tollgate/source bench/live.ts [--sessions 500,1000] [--seconds 5] [--rounds 3]`
import { parseArgs } from 'node:util';
import type { LiveJob, LiveReport } from './load/live-sessions.ts';
import { launch, untilListening } from './launch.ts';
import { describeMachine } from './machine.ts';
import { createPinning } from './pinning.ts';
import { nextPort } from './ports.ts';
import { medianOf } from './statistics.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '500,1000' },
    seconds: { type: 'string', default: '5' },
    rounds: { type: 'string', default: '3' },
  },
});
/** Target 5: a frame costs at most so many times what it costs a bare relay. */
const goal = 1.3;
const framesPerSecond = 50;
const node = [process.execPath, '--conditions=@tollgate/source'];
const pinning = createPinning();

const rows = ['bare', 'tollgate'] as const;
type Row = (typeof rows)[number];

const programOf: Readonly<Record<Row, string>> = {
  bare: 'bench/gateways/socket-relay.ts',
  tollgate: 'bench/gateways/live-gateway.ts',
};

const measure = async (row: Row, sessions: number): Promise<LiveReport> => {
  const upstreamPort = nextPort();
  const port = nextPort();
  const upstream = launch(pinning, {
    place: 'measuring',
    command: [...node, 'bench/mock/live-upstream.ts', String(upstreamPort)],
    port: upstreamPort,
  });
  const relay = launch(pinning, {
    place: 'gateway',
    command: [...node, programOf[row], String(port), String(upstreamPort)],
    port,
  });
  await Promise.all([untilListening(upstreamPort), untilListening(port)]);
  // The programs of this folder write these lines.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { key = null } = JSON.parse(await relay.firstLine) as { readonly key?: string };
  const job: LiveJob = { port, relayPid: relay.pid, key, sessions, framesPerSecond, seconds: Number(values.seconds) };
  const load = launch(pinning, {
    place: 'measuring',
    command: [...node, 'bench/load/live-sessions.ts', JSON.stringify(job)],
    port: 0,
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const report = JSON.parse(await load.firstLine) as LiveReport;
  await Promise.all([relay.stop(), upstream.stop()]);
  return report;
};

const describe = (row: Row, { framesPerSecond: rate, roundTripMs, ...report }: LiveReport): string =>
  [
    row.padEnd(9),
    `${report.sessions} sessions`,
    `${Math.round(rate)} frames/s`,
    `${report.cpuMicrosPerFrame.toFixed(1)} µs a frame`,
    `${Math.round(report.cpuShare * 100)} % of a core`,
    `there and back p50 ${roundTripMs.p50.toFixed(1)} p99 ${roundTripMs.p99.toFixed(1)} ms`,
    `${report.kibPerSession.toFixed(0)} KiB a session`,
  ].join(' · ');

console.log(JSON.stringify(describeMachine()));
for (const sessions of values.sessions.split(',').map(Number)) {
  const costs: Record<Row, number[]> = { bare: [], tollgate: [] };
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const row of round % 2 === 0 ? rows : rows.toReversed()) {
      const report = await measure(row, sessions);
      costs[row].push(report.cpuMicrosPerFrame);
      console.log(describe(row, report));
    }
  }
  const ratio = medianOf(costs.tollgate) / medianOf(costs.bare);
  console.log(`${sessions} sessions: ${ratio.toFixed(2)} × a bare relay's CPU a frame, goal ${goal}`);
}
