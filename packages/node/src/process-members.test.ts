import type { Worker } from 'node:cluster';
import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createMembers, type ProcessDeath } from './process-members.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Processes that do what a test has them do. */
const createWorld = (count: number) => {
  const disconnected = new Set<number>();
  const forked: { readonly member: number; readonly worker: EventEmitter; readonly sent: unknown[] }[] = [];
  const deaths: ProcessDeath[] = [];
  const fork = (member: number): Worker => {
    const sent: unknown[] = [];
    const at = forked.length;
    const worker = Object.assign(new EventEmitter(), {
      process: { pid: forked.length + 1, kill: (signal: string) => sent.push(signal) },
      isConnected: () => !disconnected.has(at),
      send: (message: unknown) => sent.push(message),
    });
    forked.push({ member, worker, sent });
    // The members that are given here are all that it uses of a worker.
    return worker as unknown as Worker;
  };
  const members = createMembers({ count, restartMs: 1_000, fork, onDeath: (death) => deaths.push(death) });
  const listen = (at: number): void => void forked[at]?.worker.emit('listening', { address: '127.0.0.1', port: 80 });
  const exit = (at: number): void => void forked[at]?.worker.emit('exit', null, 'SIGKILL');
  return { members, forked, deaths, listen, exit, disconnect: (at: number) => void disconnected.add(at) };
};

test('listens when each process does', async () => {
  const { members, listen } = createWorld(2);
  listen(0);
  listen(1);
  expect(await members.listening()).toBe('http://127.0.0.1:80');
  expect(members.pids()).toEqual([1, 2]);
});

test('starts a process again in its place', () => {
  const { forked, deaths, listen, exit } = createWorld(2);
  listen(0);
  listen(1);
  exit(1);
  expect(deaths).toEqual([{ member: 2, pid: 2, code: null, signal: 'SIGKILL', restartInMs: 1_000 }]);
  vi.advanceTimersByTime(999);
  expect(forked).toHaveLength(2);
  vi.advanceTimersByTime(1);
  expect(forked.map(({ member }) => member)).toEqual([1, 2, 2]);
});

test('has each place wait twice as long after each early death, a minute at the most, and forgets it after a long life', () => {
  const { deaths, listen, exit } = createWorld(1);
  listen(0);
  for (let at = 0; at < 8; at += 1) {
    exit(at);
    vi.advanceTimersByTime(deaths.at(-1)?.restartInMs ?? 0);
  }
  expect(deaths.map(({ restartInMs }) => restartInMs)).toEqual([
    1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000,
  ]);
  vi.advanceTimersByTime(10_000);
  exit(8);
  expect(deaths.at(-1)?.restartInMs).toBe(1_000);
});

test('closes all processes and rejects where one ends before it has listened', async () => {
  const { members, forked, listen, exit } = createWorld(2);
  listen(0);
  exit(1);
  await expect(members.listening()).rejects.toThrow('process 2 ended with SIGKILL before it listened');
  expect(forked[0]?.sent).toEqual(['close']);
});

test('has each process close once, resolves when all have ended, and starts none again', async () => {
  const { members, forked, deaths, listen, exit } = createWorld(2);
  listen(0);
  listen(1);
  const closed = members.close();
  void members.close();
  expect(forked.map(({ sent }) => sent)).toEqual([['close'], ['close']]);
  exit(0);
  exit(1);
  await closed;
  vi.advanceTimersByTime(60_000);
  expect(forked).toHaveLength(2);
  expect(deaths).toEqual([]);
});

test('starts nothing again that died just before it was closed, and ends what does not close', async () => {
  const { members, forked, listen, exit } = createWorld(2);
  listen(0);
  listen(1);
  exit(0);
  const closed = members.close();
  vi.advanceTimersByTime(60_000);
  expect(forked).toHaveLength(2);
  members.kill();
  expect(forked[1]?.sent).toEqual(['close', 'SIGKILL']);
  exit(1);
  await closed;
});

test('sends nothing to a process whose channel is closed already, and waits for its end', async () => {
  const { members, forked, listen, exit, disconnect } = createWorld(2);
  listen(0);
  listen(1);
  disconnect(1);
  const closed = members.close();
  expect(forked.map(({ sent }) => sent)).toEqual([['close'], []]);
  exit(0);
  exit(1);
  await closed;
});
