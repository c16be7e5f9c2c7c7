import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Verdict } from './goals.ts';
import { launch, type Program } from './launch.ts';
import { nextPort } from './ports.ts';
import { memoryOf } from './process-usage.ts';
import { table } from './report.ts';
import type { Stage } from './session.ts';
import { medianOf } from './statistics.ts';
import type { TollgateReady, TollgateSetup } from './gateways/tollgate-setup.ts';

/** Eight files of 20 MiB at once, three times; the goal speaks of this. */
export const uploadLoad: UploadLoad = { uploads: 8, times: 3 };

export interface UploadLoad {
  /** At once. */
  readonly uploads: number;
  /** One such batch after the other, to the same process. */
  readonly times: number;
}

/** What one row gave in one round. */
export interface UploadMeasurement {
  readonly row: string;
  readonly ours: boolean;
  readonly compared: boolean;
  readonly round: number;
  /** Before the first upload. */
  readonly idleMib: number;
  /** The most that was ever resident. */
  readonly peakMib: number;
  /** Of files, not of their base64. */
  readonly mibPerSecond: number;
}

const fileBytes = 20 * 1024 * 1024;
const peakMibMax = 250;
const throughputMin = 2;

const createBody = (): Buffer => {
  const start = Buffer.from('000000186674797069736f6d', 'hex');
  const file = Buffer.concat([start, Buffer.alloc(fileBytes - start.length, 'frame ')]);
  const fields = { display_name: 'video.mp4', mime_type: 'video/mp4', data: file.toString('base64') };
  return Buffer.from(JSON.stringify(fields));
};

interface Row {
  readonly name: string;
  readonly ours: boolean;
  /** Whether it does what the row that parses whole does, and no more: of these the throughput is compared. */
  readonly compared: boolean;
  readonly path: string;
  /** The command line after `node`. */
  readonly command: (port: number, folder: string) => readonly string[];
}

const gateway = (file: string): string => path.join(import.meta.dirname, 'gateways', file);

interface TollgateRow {
  readonly name: string;
  readonly storage: (folder: string) => TollgateSetup['storage'];
  /** Whether its provider makes a copy of every file, as the sandbox does. */
  readonly copied: boolean;
}

/** Its provider wants no copy of a file, and is never called. */
const silentPort = 9;

const tollgate = ({ name, storage, copied }: TollgateRow): Row => ({
  name,
  ours: true,
  compared: !copied,
  path: '/api/v1/ai/files',
  command: (port, folder) => {
    const setup: TollgateSetup = {
      storage: storage(folder),
      upstreamPort: copied ? null : silentPort,
      upstreamWire: 'chat',
    };
    return [gateway('tollgate.ts'), String(port), JSON.stringify(setup)];
  },
});

const sqlite: TollgateRow['storage'] = (folder) => ({
  kind: 'sqlite',
  path: path.join(folder, 'db'),
  synchronous: 'full',
});

/** `hashes` is what is hashed: the body, from which a repeat is known, and the file, whose hash is answered. */
const parsedWhole = (name: string, hashes: 'body-and-file' | 'file'): Row => ({
  name,
  ours: false,
  compared: hashes === 'body-and-file',
  path: '/',
  command: (port, folder) => [gateway('whole-upload.ts'), String(port), folder, hashes],
});

const rows = (): readonly Row[] => [
  tollgate({ name: 'Tollgate on SQLite', storage: sqlite, copied: false }),
  tollgate({ name: 'the same, and the provider makes a copy', storage: sqlite, copied: true }),
  ...(process.env['BENCH_POSTGRES'] === undefined
    ? []
    : [tollgate({ name: 'Tollgate on PostgreSQL', storage: () => ({ kind: 'postgres' }), copied: false })]),
  parsedWhole('read and parsed whole', 'body-and-file'),
  parsedWhole('the same, but the body is not hashed', 'file'),
];

const upload = async (agent: Agent, url: string, key: string, body: Buffer): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'content-length': body.length };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, { agent, method: 'POST', headers }).on('response', resolve).on('error', reject).end(body);
  });
  const answer = await text(response);
  if (response.statusCode !== 201) throw new Error(`answered ${response.statusCode}: ${answer}`);
};

const scratch = path.join(import.meta.dirname, '../node_modules/.cache');

interface Round extends UploadLoad {
  readonly stage: Stage;
  readonly round: number;
  readonly body: Buffer;
}

/**
 * Writes as much as a row does, and deletes it. A virtual machine gets memory from its host when a page is first used, and the row
 * that happens to use it first, for the files that it writes, would pay eight times what the next row pays.
 */
const useMemory = (folder: string, bytes: number): void => {
  const file = path.join(folder, 'first');
  const piece = Buffer.alloc(fileBytes);
  const opened = openSync(file, 'w');
  for (let written = 0; written < bytes; written += piece.length) writeSync(opened, piece);
  closeSync(opened);
  rmSync(file);
};

const measureRow = async (row: Row, { stage, round, uploads, times, body }: Round): Promise<UploadMeasurement> => {
  const folder = mkdtempSync(path.join(scratch, 'uploads-'));
  useMemory(folder, uploads * times * fileBytes);
  const port = nextPort();
  const nodeFlags = row.ours ? [...stage.build.nodeFlags, ...stage.nodeFlags] : [];
  const command = [process.execPath, ...nodeFlags, ...row.command(port, folder)];
  const program: Program = { place: 'gateway', port, command };
  const running = launch(stage.pinning, program);
  const agent = new Agent({ keepAlive: true });
  try {
    // Written by the gateway of this very folder, or empty.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const { key = 'none' } = JSON.parse(await running.firstLine) as Partial<TollgateReady>;
    const idleMib = memoryOf(running.pid).rssMib;
    const startedMs = performance.now();
    for (let time = 0; time < times; time += 1)
      await Promise.all(
        Array.from({ length: uploads }, () => upload(agent, `http://127.0.0.1:${port}${row.path}`, key, body)),
      );
    const seconds = (performance.now() - startedMs) / 1_000;
    const mibPerSecond = (times * uploads * fileBytes) / 2 ** 20 / seconds;
    const { name, ours, compared } = row;
    return { row: name, ours, compared, round, idleMib, peakMib: memoryOf(running.pid).peakMib, mibPerSecond };
  } finally {
    agent.destroy();
    await running.stop();
    rmSync(folder, { recursive: true });
  }
};

/** Uploads to every row, round by round, each in a fresh process. */
export const measureUploadPart = async (
  stage: Stage,
  rounds: number,
  load: UploadLoad,
): Promise<readonly UploadMeasurement[]> => {
  mkdirSync(scratch, { recursive: true });
  const body = createBody();
  const all: UploadMeasurement[] = [];
  for (let round = 1; round <= rounds; round += 1)
    for (const row of round % 2 === 1 ? rows() : rows().toReversed()) {
      console.error(`round ${round} of ${rounds}, uploads: ${row.name}`);
      all.push(await measureRow(row, { stage, round, body, ...load }));
    }
  return all;
};

/** As Markdown. Medians over the rounds, the highest of the peaks. */
export const writeUploadReport = (all: readonly UploadMeasurement[], { uploads }: UploadLoad): string => {
  const cells = [...new Set(all.map(({ row }) => row))].map((name) => {
    const mine = all.filter(({ row }) => row === name);
    const idle = medianOf(mine.map(({ idleMib }) => idleMib)).toFixed(0);
    const peak = Math.max(...mine.map(({ peakMib }) => peakMib)).toFixed(0);
    return [name, idle, peak, medianOf(mine.map(({ mibPerSecond }) => mibPerSecond)).toFixed(0)];
  });
  const head = ['row', 'RSS before MiB', 'peak RSS MiB', 'MiB/s'];
  return `### ${uploads} uploads of 20 MiB at once\n\n${table(head, cells)}\n`;
};

/** The targets for uploads: the peak in every round, and the throughput beside parsing whole, round by round. */
export const judgeUploads = (all: readonly UploadMeasurement[]): readonly Verdict[] => {
  const ours = all.filter((each) => each.ours);
  if (ours.length === 0) return [];
  const worst = Math.max(...ours.map(({ peakMib }) => peakMib));
  const compared = all.filter((each) => each.compared);
  const ratios = compared
    .filter((each) => each.ours)
    .flatMap((mine) =>
      compared
        .filter((other) => !other.ours && other.round === mine.round)
        .map((other) => mine.mibPerSecond / other.mibPerSecond),
    );
  const ratio = medianOf(ratios);
  return [
    { goal: '6. uploads: peak RSS under 250 MiB', measured: `${worst.toFixed(0)} MiB`, met: worst < peakMibMax },
    {
      goal: '6. uploads: ≥ 2 × the throughput of parsing whole',
      measured: `${ratio.toFixed(2)} × (${ratios.map((one) => one.toFixed(2)).join(', ')})`,
      met: ratio >= throughputMin,
    },
  ];
};
