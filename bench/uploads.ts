// Eight files of 20 MiB uploaded at once, over real sockets: the peak of resident memory, and the time. Beside it the same body
// read and parsed whole. `node --conditions=@tollgate/source bench/uploads.ts [--uploads 8] [--rounds 3]`
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launch, type Program } from './launch.ts';
import { describeMachine } from './machine.ts';
import { createPinning } from './pinning.ts';
import { nextPort } from './ports.ts';
import { memoryOf } from './process-usage.ts';
import type { TollgateReady, TollgateSetup } from './gateways/tollgate-setup.ts';

const { values } = parseArgs({
  options: { uploads: { type: 'string', default: '8' }, rounds: { type: 'string', default: '3' } },
});
const uploads = Number(values.uploads);
const rounds = Number(values.rounds);
const fileBytes = 20 * 1024 * 1024;
const goalMib = 250;

const body = Buffer.from(
  JSON.stringify({
    display_name: 'video.mp4',
    mime_type: 'video/mp4',
    data: Buffer.concat([
      Buffer.from('000000186674797069736f6d', 'hex'),
      Buffer.alloc(fileBytes - 12, 'frame '),
    ]).toString('base64'),
  }),
);

interface Row {
  readonly name: string;
  readonly path: string;
  readonly program: (port: number, folder: string) => Pick<Program, 'command' | 'environment'>;
}

const sources = ['--conditions=@tollgate/source'];
const node = (...words: readonly string[]): readonly string[] => [process.execPath, ...words];

const tollgate = (name: string, storage: (folder: string) => TollgateSetup['storage']): Row => ({
  name,
  path: '/api/v1/ai/files',
  program: (port, folder) => {
    const setup: TollgateSetup = { storage: storage(folder), upstreamPort: null, upstreamWire: 'chat' };
    return { command: node(...sources, 'bench/gateways/tollgate.ts', String(port), JSON.stringify(setup)) };
  },
});

const rows: readonly Row[] = [
  tollgate('Tollgate on SQLite', (folder) => ({ kind: 'sqlite', path: join(folder, 'db'), synchronous: 'full' })),
  ...(process.env['BENCH_POSTGRES'] === undefined
    ? []
    : [tollgate('Tollgate on PostgreSQL', () => ({ kind: 'postgres' as const }))]),
  {
    name: 'read and parsed whole',
    path: '/',
    program: (port, folder) => ({ command: node('bench/gateways/whole-upload.ts', String(port), folder) }),
  },
];

const upload = async (url: string, key: string): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await fetch(url, { method: 'POST', headers, body });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`answered ${response.status}: ${text}`);
};

const scratch = join('node_modules', '.cache');
mkdirSync(scratch, { recursive: true });

const measure = async (row: Row) => {
  const folder = mkdtempSync(join(scratch, 'uploads-'));
  const port = nextPort();
  const running = launch(createPinning(), { place: 'gateway', port, ...row.program(port, folder) });
  try {
    // Written by the gateway of this very folder, or empty.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { key = 'none' } = JSON.parse(await running.firstLine) as Partial<TollgateReady>;
    const idle = memoryOf(running.pid).rssMib;
    const startedMs = performance.now();
    for (let round = 0; round < rounds; round += 1)
      await Promise.all(Array.from({ length: uploads }, () => upload(`http://127.0.0.1:${port}${row.path}`, key)));
    const seconds = (performance.now() - startedMs) / 1_000;
    return {
      name: row.name,
      idleMib: Math.round(idle),
      peakMib: Math.round(memoryOf(running.pid).peakMib),
      mibPerSecond: Math.round((rounds * uploads * fileBytes) / 2 ** 20 / seconds),
    };
  } finally {
    await running.stop();
    rmSync(folder, { recursive: true });
  }
};

const results = [];
for (const row of rows) results.push(await measure(row));
console.log(JSON.stringify(describeMachine()));
console.table(results);
const worst = Math.max(...results.filter(({ name }) => name.startsWith('Tollgate')).map(({ peakMib }) => peakMib));
console.log(`${uploads} uploads at once peak at ${worst} MiB; the goal is below ${goalMib} MiB`);
process.exitCode = worst < goalMib ? 0 : 1;
