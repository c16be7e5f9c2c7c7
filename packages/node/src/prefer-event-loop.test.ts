import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { createInterface } from 'node:readline';
import { afterEach, expect, test } from 'vitest';

const running: (() => void)[] = [];
afterEach(() => running.splice(0).forEach((stop) => stop()));

const script = `
  const { preferEventLoop } = await import(${JSON.stringify(new URL('./prefer-event-loop.ts', import.meta.url).href)});
  console.log(preferEventLoop());
  setInterval(() => {}, 1000);
`;

/** A process of its own, because the call changes the whole process, and this one has other tests to run. */
const startProcess = async () => {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.push(() => child.kill('SIGKILL'));
  const [line] = await once(createInterface(child.stdout), 'line');
  return { changed: Number(line), pid: child.pid ?? 0 };
};

/** Linux takes the number of a thread where others take a process's. */
const threadsOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).map((thread) => ({
    isMain: Number(thread) === pid,
    name: readFileSync(`/proc/${pid}/task/${thread}/comm`, 'utf8').trim(),
    priority: getPriority(Number(thread)),
  }));

const namesThreads = process.platform === 'linux' && Number(process.versions.node.split('.')[0]) >= 24;

test.runIf(namesThreads)('lowers the priority of the threads of V8 and of no other', async () => {
  const own = getPriority();
  const { changed, pid } = await startProcess();
  const threads = threadsOf(pid);
  const ofV8 = threads.filter(({ name }) => name === 'V8Worker');
  expect(changed).toBeGreaterThan(0);
  expect(ofV8.map(({ priority }) => priority)).toEqual(Array.from({ length: changed }, () => Math.max(own, 10)));
  const others = threads.filter(({ name }) => name !== 'V8Worker');
  expect(others.some(({ isMain }) => isMain)).toBe(true);
  expect(new Set(others.map(({ priority }) => priority))).toEqual(new Set([own]));
});

test.runIf(!namesThreads)('changes nothing where threads cannot be distinguished', async () => {
  expect((await startProcess()).changed).toBe(0);
});
