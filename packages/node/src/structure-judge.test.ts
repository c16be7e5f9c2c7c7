import { setImmediate } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '@tollgate/provider';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createStructureJudge, type StructureJudgeLimits } from './structure-judge.ts';

const judgeWith = (limits: Partial<StructureJudgeLimits> = {}) => {
  const running = createStructureJudge(limits);
  onTestFinished(() => running.close());
  const judge = (schema: JsonObject, text: string, projectId = 'a') => running.judge(schema, text, projectId);
  return { ...running, judge };
};

const slow = { pattern: '^(a+)+$' };
const slowText = JSON.stringify(`${'a'.repeat(60)}!`);
/** Longer than a check takes on any machine that runs these tests. */
const patient = { checkMs: 60_000, checkWallMs: 60_000 };

test('finds what fits a schema, what does not, and what cannot be judged', async () => {
  const { judge } = judgeWith(patient);
  expect(await judge({ type: 'integer' }, '7')).toBe('fits');
  expect(await judge({ type: 'integer' }, '"7"')).toBe('does_not_fit');
  expect(await judge({ properties: { a: { pattern: '(' } } }, '{"a":"x"}')).toBe('unchecked');
});

test('abandons a check that takes too long, and checks the next response on another thread', async () => {
  const { judge } = judgeWith({ checkMs: 1_000 });
  const found = [judge(slow, slowText), judge({ type: 'integer' }, '7')];
  expect(await Promise.all(found)).toEqual(['unchecked', 'fits']);
});

test('gives a check its time after the thread has loaded its code, and by the time of the processor', async () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  const emit = vi.spyOn(Worker.prototype, 'emit');
  // A machine that gives this process nothing: the clock goes on, the time of the processor stands still.
  const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
  onTestFinished(() => [post, emit, cpu].forEach((spy) => spy.mockRestore()));
  const { judge } = judgeWith({ checkMs: 1, checkWallMs: 60_000 });
  expect(await judge({ type: 'integer' }, '7')).toBe('fits');
  const firstMessage = emit.mock.calls.findIndex(([name]) => name === 'message');
  const [ready, posted] = [emit.mock.invocationCallOrder[firstMessage], post.mock.invocationCallOrder[0]];
  expect(emit.mock.calls[firstMessage]).toEqual(['message', 'ready']);
  expect(ready).toBeLessThan(posted ?? 0);
});

test('ends a check by the clock where the time of the processor does not', async () => {
  const cpu = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
  onTestFinished(() => cpu.mockRestore());
  const { judge } = judgeWith({ checkMs: 1, checkWallMs: 500 });
  expect(await judge(slow, slowText)).toBe('unchecked');
});

test('checks no more answers than may wait, and the others in turn', async () => {
  const { judge } = judgeWith({ ...patient, waitingMax: 2 });
  // The first is being checked, two wait, and there is no room for the fourth.
  const found = Array.from({ length: 4 }, () => judge({ type: 'integer' }, '7'));
  expect(await Promise.all(found)).toEqual(['fits', 'fits', 'fits', 'unchecked']);
  expect(await judge({ type: 'integer' }, '7')).toBe('fits');
});

test('gives projects turns, so that many checks of one delay another by one check only', async () => {
  const { judge } = judgeWith({ ...patient, waitingPerOwnerMax: 3 });
  const order: string[] = [];
  const ask = async (name: string, projectId: string): Promise<void> => {
    const verdict = await judge({ type: 'integer' }, '7', projectId);
    order.push(`${name} ${verdict}`);
  };
  // The first is being checked, three wait, and the fifth of the project finds no room.
  await Promise.all([...['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask(name, 'a')), ask('b1', 'b')]);
  expect(order).toEqual(['a5 unchecked', 'a1 fits', 'a2 fits', 'b1 fits', 'a3 fits', 'a4 fits']);
});

test('does not wait for the end of a thread that it gave up, and bounds how many such threads run', async () => {
  const terminate: unknown = Reflect.get(Worker.prototype, 'terminate');
  const ends: (() => void)[] = [];
  const spy = vi.spyOn(Worker.prototype, 'terminate').mockImplementation(function (this: Worker) {
    if (typeof terminate === 'function') Reflect.apply(terminate, this, []);
    return new Promise((resolve) => ends.push(() => resolve(1)));
  });
  onTestFinished(() => spy.mockRestore());
  const { judge } = judgeWith({ checkMs: 1_000, endingMax: 1 });
  expect(await judge(slow, slowText)).toBe('unchecked');
  expect(await judge({ type: 'integer' }, '7')).toBe('fits');
  expect(await judge(slow, slowText)).toBe('unchecked');
  expect(await judge({ type: 'integer' }, '7')).toBe('unchecked');
  for (const done of ends.splice(0)) done();
  await setImmediate();
  expect(await judge({ type: 'integer' }, '7')).toBe('fits');
  spy.mockRestore();
});

test('leaves nothing waiting when it is closed', async () => {
  const { judge, close } = judgeWith(patient);
  const found = [judge(slow, slowText), judge(slow, slowText)];
  await close();
  expect(await Promise.all(found)).toEqual(['unchecked', 'unchecked']);
});

test('starts its thread again after it had nothing to do', async () => {
  const { judge } = judgeWith({ ...patient, idleMs: 1 });
  expect(await judge({ type: 'integer' }, '7')).toBe('fits');
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(await judge({ type: 'integer' }, '7')).toBe('fits');
});
