import type { UsageSum, UsageSumQuery } from '@tollgate/storage';
import { memoryStorage } from '@tollgate/storage-memory';
import { expect, test } from 'vitest';
import { mergeSums } from './merge-sums.ts';

const query: UsageSumQuery = {
  rollUp: 'usageHour',
  bounds: [0, 3_600_000],
  where: {},
  groupBy: ['model'],
  after: null,
  limit: 3,
};

const sum = (value: string, change: Partial<UsageSum> = {}): UsageSum => ({
  fromMs: 0,
  values: [value],
  requests: 1n,
  chargedMicros: 2n,
  correctedMicros: 3n,
  units: [['input_text_tokens', 4n]],
  ...change,
});

const cellOf = (name: string, all: readonly UsageSum[], hidden: readonly UsageSum[] = []) => ({
  name,
  isResting: () => false,
  storage: {
    ...memoryStorage(),
    sumUsage: ({ where }: UsageSumQuery) => Promise.resolve(where.accountId === undefined ? all : hidden),
  },
});

const merged = (cells: readonly ReturnType<typeof cellOf>[], hidden: readonly string[] = []) =>
  mergeSums({ ask: (ask) => Promise.all(cells.map((cell) => ask(cell, new Set(hidden)))) }, query);

test('groups of the same values are one, in order, with the sums of all cells', async () => {
  const cells = [cellOf('one', [sum('b'), sum('c')]), cellOf('two', [sum('a'), sum('b')])];
  const doubled = sum('b', {
    requests: 2n,
    chargedMicros: 4n,
    correctedMicros: 6n,
    units: [['input_text_tokens', 8n]],
  });
  expect(await merged(cells)).toEqual([sum('a'), doubled, sum('c')]);
});

test('groups of an earlier period come first, and are none with those of a later one', async () => {
  const later = sum('a', { fromMs: 3_600_000 });
  const cells = [cellOf('one', [sum('b'), later]), cellOf('two', [sum('c')])];
  expect(await merged(cells)).toEqual([sum('b'), sum('c'), later]);
});

test('no more groups are returned than were asked for', async () => {
  expect((await merged([cellOf('one', [sum('a'), sum('b')]), cellOf('two', [sum('c'), sum('d')])])).length).toBe(3);
});

test('what a hidden account has used is taken off, and a group of nothing else is left out', async () => {
  const whole = sum('a', { requests: 5n, chargedMicros: 5n, correctedMicros: 5n, units: [['input_text_tokens', 5n]] });
  const rest = sum('a', { requests: 4n, chargedMicros: 3n, correctedMicros: 2n, units: [['input_text_tokens', 1n]] });
  expect(await merged([cellOf('one', [whole, sum('b')], [sum('a'), sum('b')])], ['a1'])).toEqual([rest]);
});

test('a group stays of which one amount alone is left', async () => {
  const hidden = sum('a');
  for (const left of ['requests', 'chargedMicros', 'correctedMicros'] as const) {
    const [only] = await merged([cellOf('one', [{ ...hidden, [left]: hidden[left] + 1n }], [hidden])], ['a1']);
    expect(only).toMatchObject({ requests: 0n, chargedMicros: 0n, correctedMicros: 0n, [left]: 1n, units: [] });
  }
});

const isOfHidden = ({ values: [value = ''] }: UsageSum): boolean => 'abcdf'.includes(value);

test('groups behind those of a hidden account are found, page by page', async () => {
  const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((value) => sum(value));
  const storage = {
    ...memoryStorage(),
    sumUsage: async ({ where, after, limit }: UsageSumQuery) => {
      const behind = all.filter(({ values: [value = ''] }) => after === null || value > (after.values[0] ?? ''));
      return behind.filter((one) => where.accountId === undefined || isOfHidden(one)).slice(0, limit);
    },
  };
  const cell = { ...cellOf('one', []), storage };
  expect(await merged([cell], ['a1'])).toEqual([sum('e'), sum('g'), sum('h')]);
});
