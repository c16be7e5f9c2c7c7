import { amountMicrosMax, type UsageLineRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord } from '../../test/decision-world.ts';
import { rollUpUsage } from './roll-up-usage.ts';

const hourMs = 3_600_000;

const lineOf = (id: string, change: Partial<UsageLineRecord> = {}): UsageLineRecord => ({
  id,
  accountId: 'a1',
  projectId: 'p1',
  keyId: 'k1',
  model: 'm',
  provider: 'q',
  requests: 1,
  chargedMicros: 5n,
  correctedMicros: 0n,
  units: { input_text_tokens: 2 },
  createdAtMs: hourMs + 7,
  ...change,
});

const hourId = (fromMs: number) => JSON.stringify([fromMs, 'a1', 'p1', 'k1', 'm', 'q']);
const dayId = JSON.stringify([0, 'a1', 'm']);

const rolling = (...lines: readonly UsageLineRecord[]) => {
  const world = createDecisionWorld(operationRecord());
  for (const line of lines) world.put('usageLine', line);
  return world;
};

test('adds lines to their hour and day and deletes them', () => {
  const lines = [
    lineOf('1'),
    lineOf('2', { units: { input_text_tokens: 1, output_text_tokens: 4 } }),
    lineOf('3', { createdAtMs: 2 * hourMs, requests: 0, chargedMicros: 0n, correctedMicros: 3n, units: {} }),
  ];
  const world = rolling(...lines);
  expect(world.step(rollUpUsage(lines))).toBe(3);
  expect(world.get('usageHour', hourId(hourMs))).toMatchObject({
    startMs: hourMs,
    requests: 2,
    chargedMicros: 10n,
    units: { input_text_tokens: 3, output_text_tokens: 4 },
  });
  expect(world.get('usageHour', hourId(2 * hourMs))).toMatchObject({ requests: 0, correctedMicros: 3n });
  expect(world.get('usageDay', dayId)).toMatchObject({
    startMs: 0,
    requests: 2,
    chargedMicros: 10n,
    correctedMicros: 3n,
  });
  for (const { id } of lines) expect(world.get('usageLine', id)).toBeUndefined();
});

test('adds a line once, however often it is rolled up', () => {
  const world = rolling(lineOf('1'), lineOf('2'));
  world.step(rollUpUsage([lineOf('1')]));
  expect(world.step(rollUpUsage([lineOf('1'), lineOf('2')]))).toBe(1);
  expect(world.step(rollUpUsage([lineOf('1'), lineOf('2')]))).toBe(0);
  expect(world.get('usageHour', hourId(hourMs))).toMatchObject({ requests: 2, chargedMicros: 10n });
  expect(world.get('usageDay', dayId)).toMatchObject({ requests: 2, chargedMicros: 10n });
});

test('tells sources apart by hour, and accounts and models by day', () => {
  const lines = [lineOf('1'), lineOf('2', { keyId: 'k2' }), lineOf('3', { model: 'n' })];
  const world = rolling(...lines);
  world.step(rollUpUsage(lines));
  expect(world.get('usageHour', hourId(hourMs))).toMatchObject({ requests: 1 });
  expect(world.get('usageDay', dayId)).toMatchObject({ requests: 2 });
  expect(world.get('usageDay', JSON.stringify([0, 'a1', 'n']))).toMatchObject({ requests: 1 });
});

test('leaves a line whose sum no row can hold', () => {
  const lines = [
    lineOf('1', { chargedMicros: amountMicrosMax }),
    lineOf('2', { chargedMicros: 1n }),
    lineOf('3', { chargedMicros: 0n, units: { input_text_tokens: Number.MAX_SAFE_INTEGER } }),
    lineOf('4', { chargedMicros: 0n }),
  ];
  const world = rolling(...lines);
  expect(world.step(rollUpUsage(lines))).toBe(2);
  expect(world.get('usageLine', '2')).toBeDefined();
  expect(world.get('usageLine', '3')).toBeDefined();
  expect(world.get('usageHour', hourId(hourMs))).toMatchObject({ requests: 2, chargedMicros: amountMicrosMax });
});

const rolled = (change: Partial<UsageLineRecord>): number => {
  const line = lineOf('1', { chargedMicros: 0n, ...change });
  return rolling(line).step(rollUpUsage([line]));
};

test('takes a sum that a row can just hold, and none beyond it in either direction', () => {
  expect(rolled({ correctedMicros: -amountMicrosMax })).toBe(1);
  expect(rolled({ correctedMicros: -amountMicrosMax - 1n })).toBe(0);
  expect(rolled({ chargedMicros: amountMicrosMax })).toBe(1);
  expect(rolled({ chargedMicros: amountMicrosMax + 1n })).toBe(0);
});
