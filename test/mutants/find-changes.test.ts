import { fileURLToPath } from 'node:url';
import { runInThisContext } from 'node:vm';
import { expect, test } from 'vitest';
import { parseSources } from '../../scripts/house/parse-sources.ts';
import { chooseMutants } from '../../scripts/mutate/choose-mutants.ts';
import { findMutants } from '../../scripts/mutate/find-changes.ts';
import { planKills, testsByMutant } from '../../scripts/mutate/plan-kills.ts';
import { mergedScore, percentOf, updatedScore, type Score } from '../../scripts/mutate/score.ts';
import { keyOf, type SourceMutant } from '../../scripts/mutate/source-mutant.ts';
import { switchSource } from '../../scripts/mutate/switch-source.ts';
import { installSwitchboard, numbersOf, takeAsked } from '../../scripts/mutate/switchboard.ts';
import { openTypeCheck } from '../../scripts/mutate/type-check.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const mutantsOf = (text: string, file = 'file.ts'): readonly SourceMutant[] => {
  const source = parseSources(new Map([[file, text]])).get(file);
  if (source === undefined) throw new Error('the source was not parsed');
  return findMutants(file, source);
};
const changesOf = (body: string): readonly string[] =>
  mutantsOf(`const f = () => { ${body} };`).map(({ change }) => change);

test('moves a bound and turns a comparison round, and decides a condition', () => {
  expect(changesOf('if (a < b) go;')).toEqual([
    'a < b → true',
    'a < b → false',
    'a < b → a <= b',
    'a < b → a >= b',
    'go; → nothing',
  ]);
});

test('takes half of a condition, the other value of a default and the operand of a negation', () => {
  expect(changesOf('return a && b;')).toEqual(['a && b → a || b', 'a && b → a', 'a && b → b']);
  expect(changesOf('return a ?? b;')).toEqual(['a ?? b → b']);
  expect(changesOf('return !a;')).toEqual(['!a → a']);
});

test('changes sums, bounds, numbers and methods, and no text', () => {
  expect(changesOf('return a + b;')).toEqual(['a + b → a - b']);
  expect(changesOf("return a + 'b';")).toEqual([]);
  expect(changesOf('return Math.min(a, b);')).toEqual(['Math.min(a, b) → Math.max(a, b)']);
  expect(changesOf('return 5n;')).toEqual(['5n → (5n + 1n)']);
  expect(changesOf('return a.some(b);')).toEqual(['a.some(b) → a.every(b)']);
  expect(changesOf('return a.filter(b);')).toEqual(['a.filter(b) → a']);
  expect(changesOf('return a.toString();')).toEqual([]);
});

test('leaves out elements, and members that replace what a spread has', () => {
  expect(changesOf('return [...a, b];')).toEqual(['...a → nothing', 'b → nothing']);
  expect(changesOf('return { ...a, b, c: d };')).toEqual(['b → nothing', 'c: d → nothing']);
  expect(changesOf('return { b, c: d };')).toEqual([]);
});

test('leaves alone what loads with its module, types, guards against defects and lines of the log', () => {
  expect(mutantsOf('export const a = 1 + 2; type B = 3;')).toEqual([]);
  expect(changesOf("if (a === b) throw new Error('c');").filter((change) => /true|false/.test(change))).toEqual([]);
  expect(changesOf("if (a === b) throw new GatewayError('c');")).toContain('a === b → false');
  expect(changesOf("engine.logger.warn('a');")).toEqual([]);
  expect(changesOf('return a?.b.filter(c).length;')).toEqual([]);
});

test('names a mutant by its function and its change, and counts the same change again', () => {
  const [first, second] = mutantsOf('const f = (a) => { g(1); g(1); };').filter(
    ({ operator }) => operator === 'number',
  );
  if (first === undefined || second === undefined) throw new Error('both numbers must be changed');
  expect(keyOf(first)).toBe('file.ts f: 1 → (1 + 1)');
  expect(keyOf(second)).toBe('file.ts f: 1 → (1 + 1) (2)');
});

/** What a switched function returns with each of its mutants on, by the words for the change. */
const switched = (body: string, given: readonly unknown[]): Readonly<Record<string, unknown>> => {
  const text = `const f = (a, b) => { ${body} };`;
  const numbered = mutantsOf(text).map((mutant, id) => ({ id, mutant }));
  const board = installSwitchboard(numbered.length);
  const f: unknown = runInThisContext(`(() => { ${switchSource(text, numbered)} return f; })()`);
  if (typeof f !== 'function') throw new Error('the text must be of a function');
  const results: Record<string, unknown> = { none: Reflect.apply(f, null, given) };
  for (const { id, mutant } of numbered) {
    board.active = id;
    results[mutant.change] = Reflect.apply(f, null, given);
  }
  board.active = -1;
  return results;
};

test('does with a switch on what the mutant says, and with none what the source says', () => {
  expect(switched('return a > b + 1 ? [a, b] : { ...{ a: 0 }, a };', [1, 1])).toEqual({
    none: { a: 1 },
    'a > b + 1 → true': [1, 1],
    'a > b + 1 → false': { a: 1 },
    'a > b + 1 → a >= b + 1': { a: 1 },
    'a > b + 1 → a <= b + 1': [1, 1],
    'b + 1 → b - 1': [1, 1],
    '1 → (1 + 1)': { a: 1 },
    'a → nothing': { a: 1 },
    'b → nothing': { a: 1 },
    '0 → (0 + 1)': { a: 1 },
    'a → nothing (2)': { a: 0 },
  });
});

test('ends a mutant that never ends by itself', () => {
  expect(() => switched('let i = 0; while (i < b) { i += 1; } return i;', [0, 3])).toThrow('on and on');
});

test('notes the switches that were asked', () => {
  const board = installSwitchboard(20);
  board.asked[3] = 1;
  board.asked[17] = 1;
  expect(numbersOf(takeAsked(board))).toEqual([3, 17]);
  expect(numbersOf(takeAsked(board))).toEqual([]);
});

const accepts = (): boolean => true;

test('draws the same sample for a seed, and more of a large folder, though not as many more', () => {
  const all = [
    ...Array.from({ length: 100 }, (_, at) => `a/${at}.ts`),
    ...Array.from({ length: 400 }, (_, at) => `b/${at}.ts`),
  ]
    .map(
      (file) =>
        ({
          file,
          line: 1,
          within: 'f',
          change: 'x',
          operator: 'x',
          form: 'expression',
          start: 0,
          end: 0,
          text: '',
        }) as const,
    )
    .map((mutant, id) => ({ id, mutant }));
  const drawn = chooseMutants(['a', 'b'], all, { count: 30, seed: 1, accepts });
  expect(drawn.filter(({ mutant }) => mutant.file.startsWith('a/')).length).toBe(10);
  expect(drawn.filter(({ mutant }) => mutant.file.startsWith('b/')).length).toBe(20);
  expect(chooseMutants(['a', 'b'], all, { count: 30, seed: 1, accepts })).toEqual(drawn);
  expect(chooseMutants(['a', 'b'], all, { count: 30, seed: 2, accepts })).not.toEqual(drawn);
  const none = chooseMutants(['a', 'b'], all, { count: 30, seed: 1, accepts: ({ file }) => file === 'b/7.ts' });
  expect(none.map(({ mutant }) => mutant.file)).toEqual(['b/7.ts']);
});

test('tries the nearest tests of a mutant first, and no more than fit into its time', () => {
  const tests = [
    { id: 'far', file: 'f', name: 'far', ms: 10, reached: [1, 2, 3] },
    { id: 'near', file: 'f', name: 'near', ms: 10, reached: [1] },
    { id: 'slow', file: 'f', name: 'slow', ms: 5000, reached: [1] },
  ];
  expect(planKills(testsByMutant([1, 9], tests), 25)).toEqual(
    new Map([
      [1, ['near', 'far']],
      [9, []],
    ]),
  );
  expect(planKills(testsByMutant([1], tests), 15)).toEqual(new Map([[1, ['near']]]));
});

test('counts in percent, rounded down', () => {
  expect(percentOf({ killed: 2, survived: 1 })).toBe(66.6);
  expect(percentOf({ killed: 0, survived: 0 })).toBe(100);
});

test('asks the compiler about a mutant, and forgets it', () => {
  const text =
    'export const f = (a: string | undefined, n: number): string => { if (a === undefined || n > 1) return `b`; return a; };\n';
  const file = 'packages/cron/src/asked.ts';
  const mutants = mutantsOf(text, file);
  const types = openTypeCheck(root, new Map([[file, text]]));
  const accepted = [0, 1].map(() => mutants.filter(types.accepts).map(({ change }) => change));
  types.close();
  expect(mutants.map(({ change }) => change)).toContain('a === undefined || n > 1 → n > 1');
  expect(accepted[0]).toEqual([
    'a === undefined || n > 1 → a === undefined',
    'n > 1 → n >= 1',
    'n > 1 → n <= 1',
    '1 → (1 + 1)',
  ]);
  expect(accepted[1]).toEqual(accepted[0]);
});

test('adds what became of survivors that were tried again', () => {
  const survivor = { file: 'a/b.ts', line: 1, within: 'f', change: 'x', reachedBy: 1 };
  const row = { tried: 10, killed: 6, equivalent: 1, survived: 3 };
  const before: Score = {
    ...row,
    seed: 1,
    score: 66.6,
    folders: { a: row },
    survivors: [survivor, survivor, survivor],
  };
  const some = { tried: 2, killed: 1, equivalent: 0, survived: 1 };
  const again: Score = { ...some, seed: 1, score: 50, folders: { a: some }, survivors: [survivor] };
  const sum = { tried: 9, killed: 7, equivalent: 1, survived: 1 };
  expect(mergedScore(before, again, () => true)).toEqual({
    ...sum,
    seed: 1,
    score: 87.5,
    folders: { a: sum },
    survivors: [survivor],
  });
});

test('leaves the survivors that were not tried again as they were', () => {
  const [one, two] = [survivorIn('a/x.ts'), survivorIn('a/y.ts')];
  const row = { tried: 10, killed: 8, equivalent: 0, survived: 2 };
  const before: Score = { ...row, seed: 1, score: 80, folders: { a: row }, survivors: [one, two] };
  const killed = { tried: 1, killed: 1, equivalent: 0, survived: 0 };
  const again: Score = { ...killed, seed: 1, score: 100, folders: { a: killed }, survivors: [] };
  const sum = { tried: 10, killed: 9, equivalent: 0, survived: 1 };
  expect(mergedScore(before, again, ({ file }) => file === 'a/y.ts')).toEqual({
    ...sum,
    seed: 1,
    score: 90,
    folders: { a: sum },
    survivors: [one],
  });
});

const survivorIn = (file: string) => ({ file, line: 1, within: 'f', change: 'x', reachedBy: 1 });

test('replaces the folders that were tried anew, and leaves the others as they were', () => {
  const [one, two] = [
    { tried: 10, killed: 9, equivalent: 0, survived: 1 },
    { tried: 4, killed: 3, equivalent: 0, survived: 1 },
  ];
  const sum = { tried: 14, killed: 12, equivalent: 0, survived: 2 };
  const before: Score = {
    ...sum,
    seed: 1,
    score: 85.7,
    folders: { a: one, b: two },
    survivors: [survivorIn('a/x.ts'), survivorIn('b/x.ts')],
  };
  const row = { tried: 5, killed: 4, equivalent: 0, survived: 1 };
  const anew: Score = {
    ...row,
    seed: 1,
    score: 80,
    folders: { b: row, c: { ...row, tried: 0 } },
    survivors: [survivorIn('b/y.ts')],
  };
  expect(updatedScore(before, anew)).toMatchObject({
    tried: 15,
    killed: 13,
    survived: 2,
    folders: { a: one, b: row },
    survivors: [survivorIn('a/x.ts'), survivorIn('b/y.ts')],
  });
});
