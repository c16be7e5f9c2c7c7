import { checkConfiguration, having, optionsCheck } from '@tollgate/contract/configuration';
import type { EnvironmentFiles, ToolContext, ToolFunction, ToolOutcome, ToolRunner } from '@tollgate/engine';
import type { Usage } from '@tollgate/provider';
import { createPythonSandbox, type PythonOutcome, type PythonSandbox } from './python/python-sandbox.ts';
import { pythonSandboxChecks, type PythonSandboxOptions } from './python/python-settings.ts';
import type { WorkFile } from './python/work-file.ts';

export interface CodeExecutionOptions extends PythonSandboxOptions {
  /** What runs the programs; by default a sandbox of our own with the other options. */
  readonly sandbox?: PythonSandbox;
}

const codeExecutionCheck = optionsCheck<CodeExecutionOptions>({
  ...pythonSandboxChecks,
  sandbox: having<PythonSandbox>('run'),
});

const codeCharsMax = 200_000;
const filesMaxDefault = 1000;
const namesShownMax = 20;

const declaration: ToolFunction = {
  name: 'execute_python',
  description:
    'Runs a Python 3 program with its standard library and returns what it prints. Every call starts anew: no variable is kept. There is no network. Files of the environment, if there is one, lie in the working directory and are kept; others are lost when the program ends.',
  parameters: {
    type: 'object',
    properties: { code: { type: 'string', description: 'The whole program; print what you want to know.' } },
    required: ['code'],
    additionalProperties: false,
  },
};

const oneRun: readonly Usage[] = [{ unit: 'code_execution_runs', quantity: 1, confirmed: true }];

const stopped: Readonly<Record<Exclude<PythonOutcome['kind'], 'ended' | 'failed'>, string>> = {
  time: 'The program took too long and was stopped.',
  memory: 'The program took too much memory and was stopped.',
  output: 'The program sent too much and was stopped.',
  crashed: 'The interpreter broke.',
  aborted: 'The program was stopped.',
  unbegun: 'The program waited too long for its turn; nothing was run.',
  busy: 'Too many programs run at the moment; nothing was run.',
  files: 'The files of the environment are too many or too large for a program; nothing was run.',
};

const refusal = (result: string): ToolOutcome => ({ result, isError: true, usage: [] });

const concat = async (chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
};

/** What lies in the environment, or null where there is none any more. Read only as far as it can be handed to a program. */
const readFiles = async (
  files: EnvironmentFiles,
  id: string,
  bytesMax: number,
): Promise<readonly WorkFile[] | null> => {
  const listed = await files.list(id);
  if (listed === null) return null;
  const size = listed.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  const read: WorkFile[] = [];
  // One that is too large as a whole is refused by the sandbox; a single byte too many is enough for that.
  if (size > bytesMax) return [{ path: 'too-large', bytes: new Uint8Array(bytesMax + 1) }];
  for (const file of listed) read.push({ path: file.path, bytes: await concat(files.read(file)) });
  return read;
};

const names = (paths: readonly string[]): string =>
  paths.length <= namesShownMax
    ? paths.join(', ')
    : `${paths.slice(0, namesShownMax).join(', ')} and ${paths.length - namesShownMax} more`;

/** Keeps what the program did to the files; returns what there is to say about it. */
const keepFiles = async ({ written, removed }: PythonOutcome, context: ToolContext): Promise<readonly string[]> => {
  const { environmentId, environmentFiles } = context;
  if (written.length === 0 && removed.length === 0) return [];
  const paths = written.map(({ path }) => path);
  if (environmentId === null) return [`Without an environment these files are lost: ${names(paths)}.`];
  switch (await environmentFiles.change(environmentId, { put: written, remove: removed })) {
    case 'changed':
      return paths.length === 0 ? [] : [`Files kept: ${names(paths)}.`];
    case 'too_large':
      return ['The files are too many or too large for the environment; none was kept.'];
    case 'over_quota':
      return ['The project may not keep as many bytes; no file was kept.'];
    case 'bad_path':
      return ['A file has a name that the environment does not take; none was kept.'];
    case 'gone':
      return ['The environment can no longer be used; no file was kept.'];
  }
};

const toOutcome = async (outcome: PythonOutcome, context: ToolContext): Promise<ToolOutcome> => {
  const { kind, output, outputFitted, filesFitted } = outcome;
  if (kind === 'busy' || kind === 'files' || kind === 'unbegun') return refusal(stopped[kind]);
  const notes = [
    ...(outputFitted ? [] : ['The rest of the output is lost.']),
    ...(kind === 'ended' || kind === 'failed' ? await keepFiles(outcome, context) : [stopped[kind]]),
    ...(filesFitted ? [] : ['Some files were left out: there were too many, or too large ones.']),
  ];
  const result = [output, ...notes.map((note) => `[${note}]`)].filter((text) => text !== '').join('\n');
  return { result, usage: oneRun, ...(kind !== 'ended' && { isError: true }) };
};

/**
 * Python for models, run in processes that see nothing of the host. Without a network,
 * whatever rules an environment has; with the files of the interaction's environment, which it changes. One run is one of
 * `code_execution_runs`, also one that was stopped; one that was not begun costs nothing.
 */
export const codeExecution = (options: CodeExecutionOptions = {}): ToolRunner<'code_execution'> => {
  checkConfiguration('codeExecution', codeExecutionCheck, options);
  const { sandbox: given, ...ownOptions } = options;
  const settings = { filesMax: filesMaxDefault, filesBytesMax: 32 * 1024 * 1024, ...ownOptions };
  const sandbox = given ?? createPythonSandbox(settings);
  return {
    tool: 'code_execution',
    // A program may have changed files of the environment before its worker died.
    isRepeatable: false,
    callUsageMax: [{ unit: 'code_execution_runs', quantity: 1 }],
    declare: async () => [declaration],
    stepArguments: (_, { arguments: { code } }) => ({ language: 'python', code: typeof code === 'string' ? code : '' }),
    run: async (_, { arguments: { code } }, context) => {
      if (typeof code !== 'string' || code === '') return refusal('The argument code must be a program.');
      if (code.length > codeCharsMax) return refusal('The program is too long.');
      const { environmentId, environmentFiles, projectId, signal } = context;
      const files =
        environmentId === null ? [] : await readFiles(environmentFiles, environmentId, settings.filesBytesMax);
      if (files === null) return refusal('The environment can no longer be used.');
      return toOutcome(await sandbox.run({ code, files, projectId, signal }), context);
    },
  };
};
