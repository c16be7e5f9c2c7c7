import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ChildJob, ChildSetup } from '../python-child/child-setup.ts';
import { createFrameReader, frameForm, type Received } from './frame-reader.ts';
import { residentBytes } from './resident-bytes.ts';

export interface ProcessLimits {
  /** From the start of the process to its end. */
  readonly runMs: number;
  /** What Python may allocate. */
  readonly pythonBytesMax: number;
  /** What the whole process may hold, interpreter included. */
  readonly processBytesMax: number;
}

/** Why a process did not come to its own end. */
export type StopReason = 'time' | 'memory' | 'output' | 'aborted' | 'crashed';

export interface ProcessEnd {
  /** `done` where it said that it was. */
  readonly kind: 'done' | StopReason;
  readonly received: Received;
  /** The first lines of what Node itself said, for the host only. */
  readonly diagnosis: string;
}

export interface ProcessStart {
  /** The module that the child starts with. */
  readonly script: string;
  readonly setup: ChildSetup;
  readonly limits: ProcessLimits;
  /** A command and arguments that start the process in their own walls, such as a container's; put before ours. */
  readonly launcher: readonly string[];
  readonly input?: { readonly job: ChildJob; readonly files: readonly Uint8Array[] };
  readonly signal?: AbortSignal;
}

const pageBytes = 65_536;
const heapMebibytes = 256;
const watchMs = 50;
const diagnosisCharsMax = 4096;
/** Node itself says less than that of a failure. */
const diagnosisBytesMax = 65_536;
const shell = '/bin/sh';

/** Where the system shows a process its own descriptors. */
const descriptorTable = '/proc/self/fdinfo/';

const readablePaths = ({ script, setup }: ProcessStart): readonly string[] => [
  setup.folder,
  `${path.dirname(script)}${path.sep}`,
  ...(setup.snapshot === null ? [] : [setup.snapshot]),
  ...(process.platform === 'linux' ? [descriptorTable] : []),
];

/** The child may read the interpreter, its memory, its own modules and the table of its descriptors, and write nothing. */
const nodeArguments = (options: ProcessStart): readonly string[] => [
  '--permission',
  ...readablePaths(options).map((readable) => `--allow-fs-read=${readable}`),
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  '--disallow-code-generation-from-strings',
  `--wasm-max-mem-pages=${Math.ceil(options.limits.pythonBytesMax / pageBytes)}`,
  `--max-old-space-size=${heapMebibytes}`,
  options.script,
  JSON.stringify(options.setup),
];

/** Where there is a shell, the system itself ends an orphaned process, and lets it write no file. */
const withSystemLimits = (command: readonly string[], runMs: number): readonly string[] => {
  if (!existsSync(shell)) return command;
  const processorSeconds = 2 * Math.ceil(runMs / 1000) + 2;
  return [shell, '-c', `ulimit -t ${processorSeconds}; ulimit -c 0; ulimit -f 0; exec "$@"`, shell, ...command];
};

const start = (options: ProcessStart): ChildProcess => {
  const node = [process.execPath, ...nodeArguments(options)];
  const [command = shell, ...args] = [...options.launcher, ...withSystemLimits(node, options.limits.runMs)];
  return spawn(command, args, { env: {}, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
};

const feed = ({ stdin }: ChildProcess, token: Uint8Array, input: ProcessStart['input']): void => {
  // A process that ends early does not read; that it ended is what counts.
  stdin?.on('error', () => undefined);
  stdin?.write(token);
  if (input !== undefined) {
    const job = Buffer.from(JSON.stringify(input.job));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(job.byteLength);
    for (const part of [length, job, ...input.files]) stdin?.write(part);
  }
  stdin?.end();
};

/** Looks at a process from time to time and tells when it holds too much. Returns how to stop looking. */
const watchMemory = (child: ChildProcess, bytesMax: number, onExcess: () => void): (() => void) => {
  let looking = false;
  const look = async (): Promise<void> => {
    if (looking || child.pid === undefined) return;
    looking = true;
    if (((await residentBytes(child.pid)) ?? 0) > bytesMax) onExcess();
    looking = false;
  };
  const timer = setInterval(() => void look(), watchMs);
  return () => clearInterval(timer);
};

/** Keeps the first characters of what Node says, and tells when more was said than Node has to say. */
const readDiagnosis = ({ stderr }: ChildProcess, onExcess: () => void): (() => string) => {
  let diagnosis = '';
  let bytes = 0;
  stderr?.on('data', (chunk: Buffer) => {
    if (bytes > diagnosisBytesMax) return;
    bytes += chunk.byteLength;
    diagnosis = `${diagnosis}${chunk.toString('utf8')}`.slice(0, diagnosisCharsMax);
    if (bytes > diagnosisBytesMax) onExcess();
  });
  return () => diagnosis;
};

/** Runs the child to its end, or ends it. Never throws: whatever the process does is an outcome. */
export const runPythonProcess = (options: ProcessStart): Promise<ProcessEnd> => {
  const { limits, setup, signal } = options;
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  const child = start(options);
  const token = randomBytes(frameForm.tokenBytes);
  const reader = createFrameReader(setup.limits, token);
  let stopped: StopReason | undefined;
  let failure: string | undefined;
  const stop = (reason: StopReason): void => {
    stopped ??= reason;
    child.kill('SIGKILL');
    // What a process that is no longer heard still says is not even taken from the system.
    child.stdout?.destroy();
    child.stderr?.destroy();
  };
  const abort = (): void => stop('aborted');
  const timer = setTimeout(() => stop('time'), limits.runMs);
  const unwatch = watchMemory(child, limits.processBytesMax, () => stop('memory'));
  const diagnosis = readDiagnosis(child, () => stop('output'));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      if (stopped === undefined) reader.take(chunk);
    } catch {
      stop('output');
    }
  });
  const end = (): void => {
    clearTimeout(timer);
    unwatch();
    signal?.removeEventListener('abort', abort);
    const received = reader.received();
    const isWhole = received.end !== undefined || received.snapshot !== undefined;
    resolve({ kind: stopped ?? (isWhole ? 'done' : 'crashed'), received, diagnosis: failure ?? diagnosis() });
  };
  child.on('error', (cause) => {
    failure = cause.message;
    end();
  });
  child.on('close', end);
  feed(child, token, options.input);
  return promise;
};
