import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createFrameReader, type Frame } from './frame-reader.ts';
import type { ChildJob, ChildSetup } from '../python-child.ts';
import { residentBytes } from './resident-bytes.ts';

export interface ProcessLimits {
  /** From the start of the process to its end. */
  readonly runMs: number;
  /** What Python may allocate. */
  readonly pythonBytesMax: number;
  /** What the whole process may hold, interpreter included. */
  readonly processBytesMax: number;
  /** Everything that the process may say. */
  readonly sentBytesMax: number;
}

/** Why a process did not come to its own end. */
export type StopReason = 'time' | 'memory' | 'output' | 'aborted' | 'crashed';

export interface ProcessEnd {
  /** `done` where it said that it was. */
  readonly kind: 'done' | StopReason;
  readonly frames: readonly Frame[];
  /** The first lines of what Node itself said, for the host only. */
  readonly diagnosis: string;
}

export interface ProcessStart {
  /** The module of the child. */
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
const shell = '/bin/sh';

/** The child may read the interpreter, its memory and its own module, and write nothing. */
const nodeArguments = ({ script, setup, limits }: ProcessStart): readonly string[] => [
  '--permission',
  ...[setup.folder, script, ...(setup.snapshot === null ? [] : [setup.snapshot])].map(
    (path) => `--allow-fs-read=${path}`,
  ),
  '--disallow-code-generation-from-strings',
  `--wasm-max-mem-pages=${Math.ceil(limits.pythonBytesMax / pageBytes)}`,
  `--max-old-space-size=${heapMebibytes}`,
  script,
  JSON.stringify(setup),
];

/** Where there is a shell, the system itself ends what nobody is left to end, and lets it write no file. */
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

const feed = ({ stdin }: ChildProcess, input: ProcessStart['input']): void => {
  // A process that ends early does not read; that it ended is what counts.
  stdin?.on('error', () => undefined);
  if (input !== undefined) {
    const job = Buffer.from(JSON.stringify(input.job));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(job.byteLength);
    for (const part of [length, job, ...input.files]) stdin?.write(part);
  }
  stdin?.end();
};

/** Looks at a process from time to time and tells when it holds too much. Answers how to stop looking. */
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

/** Runs the child to its end, or ends it. Never throws: whatever the process does is an outcome. */
export const runPythonProcess = (options: ProcessStart): Promise<ProcessEnd> => {
  const { limits, signal } = options;
  const { promise, resolve } = Promise.withResolvers<ProcessEnd>();
  const child = start(options);
  const frames: Frame[] = [];
  const read = createFrameReader(limits.sentBytesMax);
  let stopped: StopReason | undefined;
  let diagnosis = '';
  const stop = (reason: StopReason): void => {
    stopped ??= reason;
    child.kill('SIGKILL');
  };
  const abort = (): void => stop('aborted');
  const timer = setTimeout(() => stop('time'), limits.runMs);
  const unwatch = watchMemory(child, limits.processBytesMax, () => stop('memory'));
  signal?.addEventListener('abort', abort, { once: true });
  if (signal?.aborted === true) abort();
  child.stdout?.on('data', (chunk: Buffer) => {
    try {
      if (stopped === undefined) frames.push(...read(chunk));
    } catch {
      stop('output');
    }
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    diagnosis = `${diagnosis}${text}`.slice(0, diagnosisCharsMax);
  });
  const end = (): void => {
    clearTimeout(timer);
    unwatch();
    signal?.removeEventListener('abort', abort);
    const said = frames.some(({ kind }) => kind === 'd' || kind === 's');
    resolve({ kind: stopped ?? (said ? 'done' : 'crashed'), frames, diagnosis });
  };
  child.on('error', (cause) => {
    diagnosis = cause.message;
    end();
  });
  child.on('close', end);
  feed(child, options.input);
  return promise;
};
