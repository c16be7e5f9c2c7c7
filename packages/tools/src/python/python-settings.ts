import { list, optionsCheck, text, timerMs, whole, type OptionChecks } from '@tollgate/contract/configuration';
import type { ChildSetup, FrameLimits } from '../python-child/child-setup.ts';
import { hasSnapshot, type PythonHome } from '../python-home.ts';
import type { ProcessLimits } from './python-process.ts';
import { placesPerProject } from '../turn-gate.ts';
import { programRunner, prologue } from './python-texts.ts';
import { workPathBytesMax } from './work-file.ts';

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
  /** The same of one project (default: one process fewer than there may be, and 16). */
  readonly processesPerProjectMax?: number;
  readonly waitingPerProjectMax?: number;
  /** A command and its arguments under which the process is started, for walls of the system's own: a container, a jail. */
  readonly launcher?: readonly string[];
}

/** What each option of a sandbox may be. */
export const pythonSandboxChecks: OptionChecks<PythonSandboxOptions> = {
  cacheFolder: text(),
  runMs: timerMs({ min: 1 }),
  pythonBytesMax: whole({ min: 1 }),
  outputBytesMax: whole(),
  filesMax: whole(),
  filesBytesMax: whole(),
  processesMax: whole({ min: 1 }),
  waitingMax: whole(),
  processesPerProjectMax: whole({ min: 1 }),
  waitingPerProjectMax: whole(),
  launcher: list(text()),
};

export const pythonSandboxCheck = optionsCheck<PythonSandboxOptions>(pythonSandboxChecks);

const mebibyte = 1024 * 1024;
/** What the interpreter and Node hold beside what programs allocate. */
const overheadBytes = 320 * mebibyte;
const errorBytesMax = 16_384;
const snapshotBytesMax = 64 * mebibyte;

const defaults = {
  runMs: 30_000,
  pythonBytesMax: 256 * mebibyte,
  outputBytesMax: 65_536,
  filesMax: 256,
  filesBytesMax: 32 * mebibyte,
  processesMax: 4,
  waitingMax: 64,
  waitingPerProjectMax: 16,
  launcher: [],
} as const;

export type PythonSettings = Required<Omit<PythonSandboxOptions, 'cacheFolder'>>;

export const settingsOf = (options: PythonSandboxOptions): PythonSettings => ({
  ...defaults,
  processesPerProjectMax: placesPerProject(options.processesMax ?? defaults.processesMax),
  ...options,
});

/** What a process for this purpose may send: a program's output and files, or the memory of an interpreter. */
const frameLimitsOf = (settings: PythonSettings, purpose: ChildSetup['purpose']): FrameLimits => ({
  outputBytesMax: settings.outputBytesMax,
  errorBytesMax,
  filesMax: settings.filesMax,
  filesBytesMax: settings.filesBytesMax,
  pathBytesMax: workPathBytesMax,
  snapshotBytesMax: purpose === 'snapshot' ? snapshotBytesMax : 0,
});

export const setupOf = (settings: PythonSettings, home: PythonHome, purpose: ChildSetup['purpose']): ChildSetup => ({
  folder: home.folder,
  snapshot: purpose === 'run' && hasSnapshot(home) ? home.snapshot : null,
  purpose,
  prologue,
  runProgram: programRunner,
  limits: frameLimitsOf(settings, purpose),
});

export const limitsOf = (settings: PythonSettings): ProcessLimits => ({
  runMs: settings.runMs,
  pythonBytesMax: settings.pythonBytesMax,
  processBytesMax: settings.pythonBytesMax + settings.filesBytesMax * 2 + overheadBytes,
});
