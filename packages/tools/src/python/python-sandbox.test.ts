import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { endlessPrograms, hostilePrograms } from '../../test/hostile-programs.ts';
import { isHarmless, openPythonWorld } from '../../test/python-world.ts';
import { createPythonSandbox } from './python-sandbox.ts';
import type { WorkFile } from './work-file.ts';

const world = openPythonWorld();
const { cacheFolder } = world;
const sandbox = createPythonSandbox({ cacheFolder, processesMax: 2, runMs: 600_000 });
const impatient = createPythonSandbox({ cacheFolder, processesMax: 2, runMs: 3_000 });
let port = 0;

beforeAll(async () => {
  port = await world.start();
  await sandbox.prepare();
});
afterAll(world.stop);

const file = (name: string, text: string): WorkFile => ({ path: name, bytes: Buffer.from(text) });
const texts = (files: readonly WorkFile[]): Readonly<Record<string, string>> =>
  Object.fromEntries(files.map(({ path: name, bytes }) => [name, Buffer.from(bytes).toString()]));

describe('a program', () => {
  test('prints, computes and ends', async () => {
    const code = 'import json, statistics\nprint(json.dumps({"mean": statistics.mean([1, 2, 6])}))';
    expect(await sandbox.run({ code })).toEqual({
      kind: 'ended',
      output: '{"mean": 3}\n',
      written: [],
      removed: [],
      outputFitted: true,
      filesFitted: true,
    });
  });

  test('runs as a script does, with its own name and its own functions', async () => {
    const code = 'def f(n): return 1 if n < 2 else n * f(n - 1)\nif __name__ == "__main__": print(f(20))';
    expect(await sandbox.run({ code })).toMatchObject({ kind: 'ended', output: '2432902008176640000\n' });
  });

  test('gets the place where it failed', async () => {
    const { kind, output } = await sandbox.run({ code: 'print("begun")\ndef f():\n    return 1 / 0\nf()' });
    expect(kind).toBe('failed');
    expect(output).toContain('begun\n');
    expect(output).toContain('File "main.py", line 3, in f\n    return 1 / 0');
    expect(output).toContain('ZeroDivisionError: division by zero');
    expect(output).not.toContain('pyodide');
  });

  test.each([
    ['x = (', 'SyntaxError'],
    ['input()', 'EOFError'],
    ['import sys; sys.exit("enough")', 'enough'],
    ['import numpy', 'ModuleNotFoundError'],
    ['\ud800', 'SyntaxError'],
  ])('fails by %j', async (code, word) => {
    expect(await sandbox.run({ code })).toMatchObject({ kind: 'failed', output: expect.stringContaining(word) });
  });

  test('ends well by leaving without a fault', async () => {
    expect(await sandbox.run({ code: 'import sys; print(1); sys.exit(0)' })).toMatchObject({
      kind: 'ended',
      output: '1\n',
    });
  });

  test('may wait for several things at once', async () => {
    const code = `
import asyncio
async def one(n):
    await asyncio.sleep(0.01 * n)
    return n
async def main():
    print(sum(await asyncio.gather(*[one(n) for n in range(5)])))
asyncio.run(main())`;
    expect(await sandbox.run({ code })).toMatchObject({ kind: 'ended', output: '10\n' });
  });

  test('reads, changes, makes and removes files, and only those come back', async () => {
    const code = `
import os, pathlib
print(open("data/in.csv").read(), sorted(os.listdir()))
open("kept.txt").read()
open("changed.txt", "a").write(" and more")
pathlib.Path("made/deep").mkdir(parents=True)
open("made/deep/new.bin", "wb").write(bytes([0, 255]))
os.remove("gone.txt")
os.symlink("/etc", "link")`;
    const files = [
      file('data/in.csv', 'a,b'),
      file('kept.txt', 'as it was'),
      file('changed.txt', 'some'),
      file('gone.txt', ''),
    ];
    const outcome = await sandbox.run({ code, files });
    expect(outcome.output).toBe("a,b ['changed.txt', 'data', 'gone.txt', 'kept.txt']\n");
    expect(outcome.written.map(({ path: name, bytes }) => [name, Buffer.from(bytes).toString('hex')])).toEqual([
      ['changed.txt', Buffer.from('some and more').toString('hex')],
      ['made/deep/new.bin', '00ff'],
    ]);
    expect(outcome.removed).toEqual(['gone.txt']);
  });

  test('imports modules from its folder', async () => {
    const files = [file('tool.py', 'answer = 42')];
    expect(await sandbox.run({ code: 'import tool; print(tool.answer)', files })).toMatchObject({
      output: '42\n',
      written: [],
    });
  });

  test('keeps what fits of too much output, and reports that it is too much', async () => {
    const outcome = await sandbox.run({ code: 'for n in range(100): print("x" * 1_000)' });
    expect(outcome).toMatchObject({ kind: 'failed', outputFitted: false });
    expect(outcome.output.length).toBeLessThan(90_000);
    expect(outcome.output).toContain('x'.repeat(1_000));
  });

  test('keeps the files that fit of too many or too large ones', async () => {
    const small = createPythonSandbox({ cacheFolder, filesMax: 2, filesBytesMax: 1_000 });
    const many = await small.run({ code: 'for n in range(9): open(f"{n}.txt", "w").write("a")' });
    expect(many).toMatchObject({ kind: 'ended', filesFitted: false });
    expect(texts(many.written)).toEqual({ '0.txt': 'a', '1.txt': 'a' });
    const large = await small.run({ code: 'open("a", "w").write("a" * 2_000); open("b", "w").write("b")' });
    expect(large).toMatchObject({ filesFitted: false });
    expect(texts(large.written)).toEqual({ b: 'b' });
    expect(await small.run({ code: '', files: [file('a', 'x'.repeat(1_001))] })).toMatchObject({ kind: 'files' });
  });

  test.each(['../a', '/a', 'a//b', 'a/../b', '.', '', 'a\\b', 'a\0'])(
    'is not begun with a file called %j',
    async (name) => {
      expect(await sandbox.run({ code: '', files: [file(name, '')] })).toMatchObject({ kind: 'files' });
    },
  );

  test('is ended when its caller gives up', async () => {
    const controller = new AbortController();
    const running = sandbox.run({ code: 'while True: pass', signal: controller.signal });
    controller.abort();
    expect(await running).toMatchObject({ kind: 'unbegun' });
  });

  test('is not begun where its caller gave up while it waited', async () => {
    const narrow = createPythonSandbox({ cacheFolder, processesMax: 1 });
    const first = narrow.run({ code: 'print(1)' });
    const controller = new AbortController();
    const second = narrow.run({ code: 'print(2)', signal: controller.signal });
    controller.abort();
    expect(await second).toMatchObject({ kind: 'unbegun', output: '' });
    expect(await first).toMatchObject({ kind: 'ended' });
  });

  test('waits for its turn, in bounded number', async () => {
    const narrow = createPythonSandbox({ cacheFolder, processesMax: 1, waitingMax: 1 });
    const outcomes = await Promise.all(['1', '2', '3'].map((text) => narrow.run({ code: `print(${text})` })));
    expect(outcomes.map(({ kind, output }) => [kind, output])).toEqual([
      ['ended', '1\n'],
      ['ended', '2\n'],
      ['busy', ''],
    ]);
  });

  test('is started behind walls of the host, where it has some', async () => {
    const wall = path.join(cacheFolder, 'wall.txt');
    const walled = createPythonSandbox({
      cacheFolder,
      launcher: ['/bin/sh', '-c', `echo up > ${wall}; exec "$@"`, 'wall'],
    });
    expect(await walled.run({ code: 'print(1)' })).toMatchObject({ kind: 'ended', output: '1\n' });
    expect(existsSync(wall)).toBe(true);
  });
});

test('keeps the memory of a started interpreter once, and not where others may write', async () => {
  expect(readdirSync(cacheFolder).filter((name) => name.endsWith('.snapshot'))).toHaveLength(1);
  expect(readdirSync(cacheFolder).filter((name) => name.includes('.snapshot.'))).toEqual([]);
  await expect(createPythonSandbox({ cacheFolder: tmpdir() }).prepare()).rejects.toThrow('can be written by others');
});

/** One of each kind, where a process of its own for all of them would take a minute: they are in hostile-programs.proof.test.ts. */
const sampled = [
  'reads the secret by its path',
  'mounts the host by hand',
  'compiles JavaScript by its constructor',
  'replaces the callbacks of errors',
  'turns on real sockets',
  'starts a shell',
  'returns a file from outside',
];
const endlessSampled = new Set(['loops and catches everything', 'fills memory outside of Python']);

describe.concurrent('a hostile program that', () => {
  test.each(sampled)('%s gets nothing', async (name) => {
    const [, code = ''] = hostilePrograms({ ...world, port }).find(([known]) => known === name) ?? [];
    expect(code).not.toBe('');
    expect(await sandbox.run({ code })).toSatisfy(isHarmless);
  });

  test.each(endlessPrograms.filter(([name]) => endlessSampled.has(name)))('%s is killed', async (_, code, kind) => {
    const outcome = await (kind === 'time' ? impatient : sandbox).run({ code });
    expect(outcome.kind).toBe(kind);
    expect(outcome).toSatisfy(isHarmless);
  });

  test('gets an error for too much memory', async () => {
    const outcome = await sandbox.run({ code: 'x = []\nwhile True: x.append(bytearray(10_000_000))' });
    expect(outcome).toMatchObject({ kind: 'failed', output: expect.stringContaining('MemoryError') });
  });
});

test('leaves the host as it was after all of them', async () => {
  expect(world.accepted()).toBe(0);
  expect(
    readdirSync(cacheFolder)
      .toSorted()
      .filter((name) => !name.endsWith('.snapshot')),
  ).toEqual(['secret.txt', 'wall.txt']);
  expect(existsSync('/tmp/evil.txt')).toBe(false);
  expect(await sandbox.run({ code: 'print("well")' })).toMatchObject({ kind: 'ended', output: 'well\n' });
});
