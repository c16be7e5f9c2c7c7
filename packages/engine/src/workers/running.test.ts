import { describe, expect, test } from 'vitest';
import { createRunning } from './running.ts';

const opening = (at: number) => ({ operationId: `o${at}`, accountId: 'a1', owner: 'w1' });
const one = { id: 'o1', owner: 'w1' };
const two = { id: 'o2', owner: 'w1' };

describe('running', () => {
  test('lists what runs', () => {
    const running = createRunning();
    for (const id of ['o1', 'o2', 'o1']) running.add(id, 'w1');
    expect(running.list()).toEqual([one, two]);
    running.delete('o1');
    running.delete('o9');
    expect(running.list()).toEqual([two]);
  });

  test('takes for aged what was there at the call before as well', () => {
    const running = createRunning();
    running.add('o1', 'w1');
    expect(running.takeAged().running).toEqual([]);
    running.add('o2', 'w1');
    expect(running.takeAged().running).toEqual([one]);
    running.delete('o1');
    expect(running.takeAged().running).toEqual([two]);
    running.delete('o2');
    expect(running.takeAged().running).toEqual([]);
  });

  test('takes for aged what is being prepared for a while, which does not run', async () => {
    const running = createRunning();
    const done = Promise.withResolvers<string>();
    const prepared = running.whilePreparing(one, () => done.promise);
    expect(running.takeAged().preparing).toEqual([]);
    expect(running.takeAged()).toEqual({ running: [], preparing: [one] });
    expect(running.list()).toEqual([]);
    await running.idle();
    done.resolve('started');
    expect(await prepared).toBe('started');
    expect(running.takeAged().preparing).toEqual([]);
  });

  test('is idle when the last operation is gone, and at once where there is none', async () => {
    const running = createRunning();
    await running.idle();
    running.add('o1', 'w1');
    running.add('o2', 'w1');
    const events: string[] = [];
    const waiting = [running.idle(), running.idle()].map(async (idle) => {
      await idle;
      events.push('idle');
    });
    running.delete('o1');
    await Promise.resolve();
    expect(events).toEqual([]);
    running.delete('o2');
    await Promise.all(waiting);
    expect(events).toEqual(['idle', 'idle']);
  });

  test('hands unconfirmed openings out once, and remembers no more than ten thousand', () => {
    const running = createRunning();
    running.addUnconfirmed(opening(1));
    expect(running.takeUnconfirmed()).toEqual([opening(1)]);
    expect(running.takeUnconfirmed()).toEqual([]);
    for (let at = 0; at < 10_001; at += 1) running.addUnconfirmed(opening(at));
    expect(running.takeUnconfirmed()).toHaveLength(10_000);
  });
});
