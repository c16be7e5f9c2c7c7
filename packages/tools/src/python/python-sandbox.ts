import type { Frame } from './frame-reader.ts';
import { findPythonHome, hasSnapshot, keepSnapshot, type PythonHome } from '../python-home.ts';
import { runPythonProcess, type ProcessLimits, type StopReason } from './python-process.ts';
import type { ChildSetup } from '../python-child.ts';
import { programRunner, prologue } from './python-texts.ts';
import { createTurnGate } from '../turn-gate.ts';
import { isWorkPath, type WorkFile } from './work-file.ts';

export interface PythonSandboxOptions {
  /** Where the memory of a started interpreter is kept between processes, 31 MB; by default a folder of this user's for temporary files. */
  readonly cacheFolder?: string;
  /** A program may take so long, its start included. */
  readonly runMs?: number;
  /** What a program may allocate. */
  readonly pythonBytesMax?: number;
  /** What a program may print. */
  readonly outputBytesMax?: number;
  /** Files that go in and come out, in number and together. */
  readonly filesMax?: number;
  readonly filesBytesMax?: number;
  /** Programs that run at once, and that wait for their turn. */
  readonly processesMax?: number;
  readonly waitingMax?: number;
  /** A command and its arguments under which the process is started, for walls of the system's own: a container, a jail. */
  readonly launcher?: readonly string[];
}

export interface PythonProgram {
  readonly code: string;
  readonly files?: readonly WorkFile[];
  readonly signal?: AbortSignal;
}

export type PythonStop = StopReason | 'busy' | 'files';

export interface PythonOutcome {
  /** `ended`: the program came to its end; `failed`: by an error or an exit code; otherwise why it was stopped, or not begun. */
  readonly kind: 'ended' | 'failed' | PythonStop;
  /** What it printed, errors last, as far as it got. */
  readonly output: string;
  /** Files that it made or changed; none where it was stopped. */
  readonly written: readonly WorkFile[];
  /** Files that it was given and removed. */
  readonly removed: readonly string[];
  /** False where it printed more than it may; the rest is lost. */
  readonly outputFitted: boolean;
  /** False where files were left out because they were too many or too large. */
  readonly filesFitted: boolean;
}

export interface PythonSandbox {
  readonly run: (program: PythonProgram) => Promise<PythonOutcome>;
  /** Makes the first program start as fast as the others; throws where no program can run at all. */
  readonly prepare: () => Promise<void>;
}

const mebibyte = 1024 * 1024;
/** What the interpreter and Node hold beside what programs allocate. */
const overheadBytes = 320 * mebibyte;
const startMsMax = 60_000;
const errorBytesMax = 16_384;
const frameHeadBytes = 4096;

const defaults = {
  runMs: 30_000,
  pythonBytesMax: 256 * mebibyte,
  outputBytesMax: 65_536,
  filesMax: 256,
  filesBytesMax: 32 * mebibyte,
  processesMax: 4,
  waitingMax: 64,
  launcher: [],
} as const;

type Settings = Required<Omit<PythonSandboxOptions, 'cacheFolder'>>;

const nothing = (kind: PythonOutcome['kind'], output = ''): PythonOutcome => ({
  kind,
  output,
  written: [],
  removed: [],
  outputFitted: kind !== 'output',
  filesFitted: true,
});

const setupOf = (settings: Settings, home: PythonHome, purpose: ChildSetup['purpose']): ChildSetup => ({
  folder: home.folder,
  snapshot: purpose === 'run' && hasSnapshot(home) ? home.snapshot : null,
  purpose,
  prologue,
  runProgram: programRunner,
  outputBytesMax: settings.outputBytesMax,
  errorBytesMax,
  filesMax: settings.filesMax,
  filesBytesMax: settings.filesBytesMax,
});

const limitsOf = (settings: Settings): ProcessLimits => ({
  runMs: settings.runMs,
  pythonBytesMax: settings.pythonBytesMax,
  processBytesMax: settings.pythonBytesMax + settings.filesBytesMax * 2 + overheadBytes,
  sentBytesMax:
    settings.outputBytesMax + errorBytesMax + settings.filesBytesMax + (settings.filesMax + 16) * frameHeadBytes,
});

const makeSnapshot = async (settings: Settings, home: PythonHome): Promise<void> => {
  const limits = { ...limitsOf(settings), runMs: startMsMax, sentBytesMax: 64 * mebibyte };
  const setup = setupOf(settings, home, 'snapshot');
  const { kind, frames, diagnosis } = await runPythonProcess({ ...settings, ...home, setup, limits });
  const memory = frames.find((frame) => frame.kind === 's');
  if (memory === undefined) throw new Error(`The interpreter does not start (${kind}): ${diagnosis}`);
  keepSnapshot(home, memory.bytes);
};

const textOf = (frames: readonly Frame[]): string => {
  const decoder = new TextDecoder();
  const join = (kind: Frame['kind']): string =>
    decoder.decode(Buffer.concat(frames.filter((frame) => frame.kind === kind).map(({ bytes }) => bytes)));
  return [join('o'), join('e')].filter((text) => text !== '').join('\n');
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** JSON of the child's, which may be anything: what runs there belongs to a stranger. */
const readJson = (bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
};

/** Pairs of a head and the bytes; what does not fit together is left out. */
const filesOf = (frames: readonly Frame[], filesMax: number): readonly WorkFile[] => {
  const parts = frames.filter(({ kind }) => kind === 'f');
  const files = new Map<string, WorkFile>();
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [head, body] = parts.slice(index, index + 2);
    const path = head === undefined ? undefined : readJson(head.bytes)['path'];
    if (typeof path !== 'string' || !isWorkPath(path) || body === undefined) continue;
    if (files.size < filesMax) files.set(path, { path, bytes: Uint8Array.from(body.bytes) });
  }
  return Array.from(files.values());
};

const removedOf = (value: unknown, files: readonly WorkFile[]): readonly string[] => {
  const names: ReadonlySet<unknown> = new Set(Array.isArray(value) ? value : []);
  return files.map(({ path }) => path).filter((path) => names.has(path));
};

const fits = (files: readonly WorkFile[], { filesMax, filesBytesMax }: Settings): boolean =>
  files.length <= filesMax &&
  files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) <= filesBytesMax &&
  files.every(({ path }) => isWorkPath(path)) &&
  new Set(files.map(({ path }) => path)).size === files.length;

const runProgram = async (settings: Settings, home: PythonHome, program: PythonProgram): Promise<PythonOutcome> => {
  const { code, files = [], signal } = program;
  const job = {
    code: code.toWellFormed(),
    files: files.map(({ path, bytes }) => ({ path, sizeBytes: bytes.byteLength })),
  };
  const { kind, frames } = await runPythonProcess({
    ...settings,
    ...home,
    setup: setupOf(settings, home, 'run'),
    limits: limitsOf(settings),
    input: { job, files: files.map(({ bytes }) => bytes) },
    ...(signal !== undefined && { signal }),
  });
  const output = textOf(frames);
  const end = frames.find((frame) => frame.kind === 'd');
  if (kind !== 'done' || end === undefined) return nothing(kind === 'done' ? 'crashed' : kind, output);
  const { ended, outputFitted, filesFitted, removed } = readJson(end.bytes);
  return {
    kind: ended === true ? 'ended' : 'failed',
    output,
    written: filesOf(frames, settings.filesMax),
    removed: removedOf(removed, files),
    outputFitted: outputFitted === true,
    filesFitted: filesFitted === true,
  };
};

/**
 * Runs Python of strangers, each program in a process of its own that sees no file of the host, no network, no variable and
 * no other process, and is killed when it takes too long or too much. Files go in and out by value.
 */
export const createPythonSandbox = (options: PythonSandboxOptions = {}): PythonSandbox => {
  const settings: Settings = { ...defaults, ...options };
  const gate = createTurnGate(settings.processesMax, settings.waitingMax);
  let preparing: Promise<void> | undefined;
  let found: PythonHome | undefined;
  const home = (): PythonHome => (found ??= findPythonHome(options.cacheFolder));
  const prepare = async (): Promise<void> => {
    const place = home();
    if (hasSnapshot(place)) return;
    preparing ??= makeSnapshot(settings, place).finally(() => {
      preparing = undefined;
    });
    await preparing;
  };
  return {
    prepare,
    run: async (program) => {
      if (!fits(program.files ?? [], settings)) return nothing('files');
      const work = async (): Promise<PythonOutcome> => {
        await prepare();
        return runProgram(settings, home(), program);
      };
      return (await gate.run(work, program.signal)) ?? nothing(program.signal?.aborted === true ? 'aborted' : 'busy');
    },
  };
};
