import type { ToolContext } from '@tollgate/engine';
import { beforeAll, expect, test } from 'vitest';
import { memoryEnvironment, toolContext } from '../test/tool-context.ts';
import { codeExecution, type CodeExecutionOptions } from './code-execution.ts';
import { createPythonSandbox, type PythonOutcome } from './python/python-sandbox.ts';

// The first start of an interpreter on a machine takes longer than any program.
beforeAll(() => createPythonSandbox().prepare());

const setting = { kind: 'code_execution' } as const;
const oneRun = [{ unit: 'code_execution_runs', quantity: 1, confirmed: true }];

const run = (args: Record<string, unknown>, context: Partial<ToolContext> = {}, options: CodeExecutionOptions = {}) =>
  codeExecution(options).run?.(setting, { id: 'call', name: 'execute_python', arguments: args }, toolContext(context));

const ending = (outcome: Partial<PythonOutcome>): CodeExecutionOptions => ({
  sandbox: {
    prepare: async () => undefined,
    run: async () => ({
      kind: 'ended',
      output: '',
      written: [],
      removed: [],
      outputFitted: true,
      filesFitted: true,
      ...outcome,
    }),
  },
});

test('declares one function whose only argument is a program', async () => {
  const [declared, ...others] = await codeExecution().declare(setting, toolContext());
  expect(declared).toMatchObject({ name: 'execute_python', parameters: { required: ['code'] } });
  expect(others).toEqual([]);
});

test('shows the client what was run', () => {
  const call = { id: 'call', name: 'execute_python', arguments: { code: 'print(1)' } };
  expect(codeExecution().stepArguments?.(setting, call)).toEqual({ language: 'python', code: 'print(1)' });
});

test('returns what a program prints, and meters one run', async () => {
  expect(await run({ code: 'print(6 * 7)' })).toEqual({ result: '42\n', usage: oneRun });
});

test('returns the fault of a program that failed, and meters it as well', async () => {
  expect(await run({ code: '1 / 0' })).toEqual({
    result: expect.stringContaining('ZeroDivisionError'),
    isError: true,
    usage: oneRun,
  });
});

test('lets a program work on the files of the environment, and keeps what it did', async () => {
  const { files, environmentFiles } = memoryEnvironment('e1', { 'in.txt': '20 22', 'old.txt': 'x' });
  const code = `
import os
total = sum(int(n) for n in open('in.txt').read().split())
os.makedirs('out')
open('out/total.txt', 'w').write(str(total))
os.remove('old.txt')
print(total)`;
  expect(await run({ code }, { environmentId: 'e1', environmentFiles })).toEqual({
    result: '42\n\n[Files kept: out/total.txt.]',
    usage: oneRun,
  });
  expect(Object.fromEntries(files)).toEqual({ 'in.txt': '20 22', 'out/total.txt': '42' });
});

test('says that files are lost where there is no environment', async () => {
  const outcome = await run({ code: 'open("a.txt", "w").write("x")' });
  expect(outcome).toEqual({ result: '[Without an environment these files are lost: a.txt.]', usage: oneRun });
});

test.each([
  ['too_large', 'too many or too large'],
  ['bad_path', 'a name'],
  ['gone', 'can no longer be used'],
] as const)('says why an environment kept nothing: %s', async (answer, words) => {
  const { files, environmentFiles } = memoryEnvironment('e1', {}, answer);
  const written = [{ path: 'a.txt', bytes: Buffer.from('x') }];
  const outcome = await run({ code: 'x' }, { environmentId: 'e1', environmentFiles }, ending({ written }));
  expect(outcome).toEqual({ result: expect.stringContaining(words), usage: oneRun });
  expect(files.size).toBe(0);
});

test.each([
  ['time', 'took too long', 1],
  ['memory', 'too much memory', 1],
  ['output', 'sent too much', 1],
  ['crashed', 'broke', 1],
  ['aborted', 'was stopped', 1],
  ['busy', 'nothing was run', 0],
  ['files', 'nothing was run', 0],
] as const)('says what became of a program that was stopped or not begun: %s', async (kind, words, runs) => {
  const outcome = await run({ code: 'x' }, {}, ending({ kind, output: '' }));
  expect(outcome).toMatchObject({ result: expect.stringContaining(words), isError: true });
  expect(outcome?.usage).toHaveLength(runs);
});

test('keeps no file of a program that was stopped', async () => {
  const { files, environmentFiles } = memoryEnvironment('e1', {});
  const written = [{ path: 'a.txt', bytes: Buffer.from('x') }];
  await run({ code: 'x' }, { environmentId: 'e1', environmentFiles }, ending({ kind: 'time', written }));
  expect(files.size).toBe(0);
});

test('says what was left out', async () => {
  const outcome = await run({ code: 'x' }, {}, ending({ output: 'some\n', outputFitted: false, filesFitted: false }));
  expect(outcome?.result).toBe(
    'some\n\n[The rest of the output is lost.]\n[Some files were left out: there were too many, or too large ones.]',
  );
});

test.each([
  [{}, 'must be a program'],
  [{ code: 7 }, 'must be a program'],
  [{ code: '' }, 'must be a program'],
  [{ code: 'x'.repeat(200_001) }, 'too long'],
])('runs nothing where there is no program to run', async (args, words) => {
  expect(await run(args)).toEqual({ result: expect.stringContaining(words), isError: true, usage: [] });
});

test('runs nothing in an environment that is gone, or too large', async () => {
  const { environmentFiles } = memoryEnvironment('e1', { 'a.txt': 'x'.repeat(100) });
  const gone = await run({ code: 'print(1)' }, { environmentId: 'e2', environmentFiles });
  expect(gone).toEqual({ result: 'The environment can no longer be used.', isError: true, usage: [] });
  const large = await run({ code: 'print(1)' }, { environmentId: 'e1', environmentFiles }, { filesBytesMax: 99 });
  expect(large).toMatchObject({ isError: true, usage: [] });
});

test('meters no program that was not begun, and runs each for its project', async () => {
  expect(await run({ code: 'print(1)' }, {}, ending({ kind: 'unbegun' }))).toEqual({
    result: 'The program waited too long for its turn; nothing was run.',
    isError: true,
    usage: [],
  });
  const projects: unknown[] = [];
  const { sandbox } = ending({});
  const noting = sandbox && {
    ...sandbox,
    run: async (program: Parameters<typeof sandbox.run>[0]) => {
      projects.push(program.projectId);
      return sandbox.run(program);
    },
  };
  await run({ code: 'print(1)' }, { projectId: 'mine' }, { ...(noting && { sandbox: noting }) });
  expect(projects).toEqual(['mine']);
});
