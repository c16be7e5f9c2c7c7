import { findPyodide, findPythonHome, hasSnapshot, keepSnapshot, type PythonHome } from '../python-home.ts';
import { frameForm, type Received } from './frame-reader.ts';
import { runPythonProcess, type StopReason } from './python-process.ts';
import {
  limitsOf,
  settingsOf,
  setupOf,
  type PythonSandboxOptions,
  type PythonSettings,
  pythonSandboxCheck,
} from './python-settings.ts';
import { createTurnGate } from '../turn-gate.ts';
import { isWorkPath, type WorkFile } from './work-file.ts';
import { checkConfiguration } from '@tollgate/contract/configuration';

export interface PythonProgram {
  readonly code: string;
  readonly files?: readonly WorkFile[];
  readonly signal?: AbortSignal;
  /** Whose program it is: projects take turns. Programs without one are those of one project. */
  readonly projectId?: string;
}

/** `unbegun`: the caller gave up before it was the program's turn. */
export type PythonStop = StopReason | 'busy' | 'files' | 'unbegun';

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

const startMsMax = 60_000;

const nothing = (kind: PythonOutcome['kind'], output = ''): PythonOutcome => ({
  kind,
  output,
  written: [],
  removed: [],
  outputFitted: kind !== 'output',
  filesFitted: true,
});

const makeSnapshot = async (settings: PythonSettings, home: PythonHome): Promise<void> => {
  const limits = { ...limitsOf(settings), runMs: startMsMax };
  const setup = setupOf(settings, home, 'snapshot');
  const { kind, received, diagnosis } = await runPythonProcess({ ...settings, ...home, setup, limits });
  if (received.snapshot === undefined) throw new Error(`The interpreter does not start (${kind}): ${diagnosis}`);
  keepSnapshot(home, received.snapshot);
};

const textOf = ({ output, errors }: Received): string =>
  [output, errors]
    .map((bytes) => new TextDecoder().decode(bytes))
    .filter((text) => text !== '')
    .join('\n');

/** A path and a content; undefined where the path is none that stays in the folder. */
const fileOf = (body: Uint8Array): WorkFile | undefined => {
  const { pathLengthBytes } = frameForm;
  if (body.byteLength < pathLengthBytes) return undefined;
  const pathEnd = pathLengthBytes + Buffer.from(body.buffer, body.byteOffset).readUInt16BE(0);
  const path = new TextDecoder().decode(body.subarray(pathLengthBytes, pathEnd));
  return isWorkPath(path) ? { path, bytes: body.subarray(pathEnd) } : undefined;
};

/** The last file of each path, out of bodies that may be anything: what runs there belongs to a stranger. */
const filesOf = ({ files }: Received): readonly WorkFile[] => {
  const found = files.map(fileOf).filter((file) => file !== undefined);
  return Array.from(new Map(found.map((file) => [file.path, file])).values());
};

/** How a program ended, out of the body of its last frame. */
const endOf = (body: Uint8Array, files: readonly WorkFile[]) => {
  const view = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const flags = view.readUInt8(0);
  const removed = new Set<number>();
  for (let at = 1; at + frameForm.indexBytes <= view.byteLength; at += frameForm.indexBytes)
    removed.add(view.readUInt32BE(at));
  return {
    ended: (flags & frameForm.endedFlag) !== 0,
    outputFitted: (flags & frameForm.outputFittedFlag) !== 0,
    filesFitted: (flags & frameForm.filesFittedFlag) !== 0,
    removed: files.filter((_, index) => removed.has(index)).map(({ path }) => path),
  };
};

const fits = (files: readonly WorkFile[], { filesMax, filesBytesMax }: PythonSettings): boolean =>
  files.length <= filesMax &&
  files.reduce((sum, { bytes }) => sum + bytes.byteLength, 0) <= filesBytesMax &&
  files.every(({ path }) => isWorkPath(path)) &&
  new Set(files.map(({ path }) => path)).size === files.length;

const runProgram = async (
  settings: PythonSettings,
  home: PythonHome,
  program: PythonProgram,
): Promise<PythonOutcome> => {
  const { code, files = [], signal } = program;
  const job = {
    code: code.toWellFormed(),
    files: files.map(({ path, bytes }) => ({ path, sizeBytes: bytes.byteLength })),
  };
  const { kind, received } = await runPythonProcess({
    ...settings,
    ...home,
    setup: setupOf(settings, home, 'run'),
    limits: limitsOf(settings),
    input: { job, files: files.map(({ bytes }) => bytes) },
    ...(signal !== undefined && { signal }),
  });
  const output = textOf(received);
  if (kind !== 'done' || received.end === undefined) return nothing(kind === 'done' ? 'crashed' : kind, output);
  const { ended, ...end } = endOf(received.end, files);
  return { kind: ended ? 'ended' : 'failed', output, written: filesOf(received), ...end };
};

/**
 * Runs Python of strangers, each program in a process of its own that sees no file of the host, no network, no variable and
 * no other process, and is killed when it takes too long or too much. Files go in and out by value.
 */
export const createPythonSandbox = (options: PythonSandboxOptions = {}): PythonSandbox => {
  checkConfiguration('createPythonSandbox', pythonSandboxCheck, options);
  // At the start of a host, not at the first program of a model.
  findPyodide();
  const settings = settingsOf(options);
  const gate = createTurnGate({
    runningMax: settings.processesMax,
    waitingMax: settings.waitingMax,
    runningPerProjectMax: settings.processesPerProjectMax,
    waitingPerProjectMax: settings.waitingPerProjectMax,
  });
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
        if (program.signal?.aborted === true) return nothing('unbegun');
        return runProgram(settings, home(), program);
      };
      const { projectId = '', signal } = program;
      return (await gate.run(work, { projectId, signal })) ?? nothing(signal?.aborted === true ? 'unbegun' : 'busy');
    },
  };
};
