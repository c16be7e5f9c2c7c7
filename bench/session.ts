import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { requestOf, type Contestant, type Ports } from './contestants.ts';
import type { BuildState } from './build-state.ts';
import { launch, untilListening, type Running } from './launch.ts';
import type { LoadJob, LoadReport } from './load/load-job.ts';
import type { RequestSpec } from './load/request-bytes.ts';
import type { Pinning } from './pinning.ts';
import { nextPort } from './ports.ts';
import { memoryOf, type MemoryUse } from './process-usage.ts';

/** How programs are run in this bench. */
export interface Stage {
  readonly pinning: Pinning;
  readonly build: BuildState;
  /** Flags of Node for our gateway, beside those of the build. */
  readonly nodeFlags: readonly string[];
}

/** A contestant that listens, with a mock upstream of its own, both fresh. */
export interface Session {
  request(bodyOf?: (model: string) => string): RequestSpec;
  readonly pids: Pick<LoadJob, 'gatewayPid' | 'upstreamPid'>;
  memory(): MemoryUse;
  stop(): Promise<void>;
}

/** On the disk of the repository: the system's folder for temporary files may be memory, which syncs for nothing. */
const databases = path.resolve(import.meta.dirname, '../node_modules/.cache/bench');
let folders = 0;

export const freshFolder = (): string => {
  folders += 1;
  const folder = path.join(databases, `${process.pid}-${folders}`);
  mkdirSync(folder, { recursive: true });
  return folder;
};

const script = (file: string): string => path.join(import.meta.dirname, file);

/** The mock that every contestant asks. */
export const startUpstream = async (stage: Stage, port: number, latencyMs: number): Promise<Running> => {
  const command = [process.execPath, script('mock/chat-upstream.ts'), String(port), String(latencyMs)];
  const upstream = launch(stage.pinning, { place: 'measuring', command, port });
  await untilListening(port);
  return upstream;
};

const startGateway = async (
  stage: Stage,
  contestant: Contestant,
  ports: Ports,
  folder: string,
): Promise<{ readonly running: Running; readonly firstLine: string } | null> => {
  if (contestant.run === null) return null;
  const flags = contestant.ours ? [...stage.build.nodeFlags, ...stage.nodeFlags] : [];
  const command = [process.execPath, ...flags, ...contestant.run(ports, path.join(folder, 'bench.db'))];
  const running = launch(stage.pinning, { place: 'gateway', command, port: ports.port });
  await untilListening(ports.port);
  return { running, firstLine: contestant.announces ? await running.firstLine : '' };
};

/** Starts a contestant and its upstream. */
export const startSession = async (stage: Stage, contestant: Contestant, latencyMs: number): Promise<Session> => {
  const ports: Ports = { port: nextPort(), upstreamPort: nextPort() };
  const folder = freshFolder();
  const upstream = await startUpstream(stage, ports.upstreamPort, latencyMs);
  const gateway = await startGateway(stage, contestant, ports, folder);
  const gatewayPid = gateway?.running.pid ?? upstream.pid;
  return {
    request: (bodyOf) => requestOf(contestant, ports, gateway?.firstLine ?? '', bodyOf),
    pids: { gatewayPid, upstreamPid: upstream.pid },
    memory: () => memoryOf(gatewayPid),
    stop: async () => {
      await gateway?.running.stop();
      await upstream.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** Runs a program of `load/` in a process of its own: a job as JSON in, a report as JSON out. */
export const runMeasuring = async (pinning: Pinning, program: string, job: object): Promise<string> => {
  const [file = '', ...rest] = pinning.command('measuring', [process.execPath, script(`load/${program}`)]);
  const child = spawn(file, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(JSON.stringify(job));
  return text(child.stdout);
};

/** Runs a load job. */
export const runLoad = async (pinning: Pinning, job: LoadJob): Promise<LoadReport> =>
  // Written by the load process of this very folder.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  JSON.parse(await runMeasuring(pinning, 'main.ts', job)) as LoadReport;
