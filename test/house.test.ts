import { describe, expect, test } from 'vitest';
import { judge, lowerCeilings, strayCeilings } from '../scripts/house/ceilings.ts';
import { commentsOf } from '../scripts/house/comments.ts';
import { countEngineFields, countEngineRoot } from '../scripts/house/engine-shape.ts';
import { countPlaces, type Figure } from '../scripts/house/figure.ts';
import { importCircles } from '../scripts/house/import-circles.ts';
import { countKindRecipe } from '../scripts/house/kind-recipe.ts';
import { parseSources, type Sources } from '../scripts/house/parse-sources.ts';
import { countSizes } from '../scripts/house/sizes.ts';
import { countCastWaivers, countConditionalSpreads } from '../scripts/house/waivers.ts';
import { countWords, readWords, type Word } from '../scripts/house/wording.ts';
import {
  countDeadlines,
  countLateSignals,
  countModelRoutes,
  countTransientTests,
} from '../scripts/house/written-copies.ts';

// Each measure must find what it looks for, and nothing beside it: a pattern that finds nothing would lower its own ceiling.

const parse = (files: Readonly<Record<string, string>>): Sources => parseSources(new Map(Object.entries(files)));
const inOne = (text: string): Sources => parse({ 'packages/engine/src/a.ts': text });
const valueIn = (measure: (sources: Sources) => Figure, text: string): number => measure(inOne(text)).value;

const pair = (left: string, right: string) => ({
  [`packages/x/src/${left}.ts`]: `import './${right}.ts';`,
  [`packages/x/src/${right}.ts`]: `import './${left}.ts';`,
});
const section = (title: string, text: string) => `## ${title}\n\n${text}\n\n`;
const sizesIn = (text: string): readonly number[] => countSizes(inOne(text)).map(({ value }) => value);
const lines = (count: number): string => 'f();\n'.repeat(count);
const toName = (sample: string): string => sample.replaceAll(/ (\w)/gu, (_, letter: string) => letter.toUpperCase());

describe('import circles', () => {
  test('are found over relative imports, over exports and over imports of types alone', () => {
    const sources = parse({
      'packages/engine/src/a.ts': "import { b } from './deep/b.ts';\nexport const a = b;",
      'packages/engine/src/deep/b.ts': "import type { C } from '../c.ts';\nexport const b: C = 1;",
      'packages/engine/src/c.ts': "export { a } from './a.ts';\nexport type C = number;",
      'packages/engine/src/d.ts': "import { a } from './a.ts';\nexport const d = a;",
    });
    expect(importCircles(sources)).toEqual([
      ['packages/engine/src/a.ts', 'packages/engine/src/c.ts', 'packages/engine/src/deep/b.ts'],
    ]);
  });

  test('are found across packages, through their entries', () => {
    const sources = parse({
      'packages/storage/src/index.ts': "export { a } from './a.ts';",
      'packages/storage/src/a.ts': "import { u } from '@tollgate/contract/units';\nexport const a = u;",
      'packages/contract/src/units.ts': "import { a } from '@tollgate/storage';\nexport const u = a;",
    });
    expect(importCircles(sources)).toHaveLength(1);
  });

  test('are counted apart, and a chain is none', () => {
    expect(importCircles(parse({ ...pair('a', 'b'), ...pair('c', 'd') }))).toHaveLength(2);
    const chain = { 'packages/x/src/a.ts': "import './b.ts';", 'packages/x/src/b.ts': "import 'zod';" };
    expect(importCircles(parse(chain))).toEqual([]);
  });
});

describe('the shape of the engine', () => {
  test('is the fields of its interface, and no others', () => {
    const text =
      'export interface Engine { readonly a: 1; readonly b?: 2 }\nexport interface Engines { readonly c: 3 }';
    expect(valueIn(countEngineFields, text)).toBe(2);
    expect(countEngineFields(parse({ 'packages/live/src/a.ts': text })).value).toBe(0);
  });

  test('is the files that lie in no folder', () => {
    const sources = parse({
      'packages/engine/src/a.ts': '',
      'packages/engine/src/b/c.ts': '',
      'packages/live/src/a.ts': '',
    });
    expect(countEngineRoot(sources).places).toEqual(['packages/engine/src/a.ts']);
  });
});

describe('transient tests', () => {
  test.each([
    "const passes = (c: E) => isNotExecuted(c) && (c.reason === 'rate_limited' || c.reason === 'unavailable');",
    "const passes = ({ reason }: E) => 'unavailable' === reason || 'rate_limited' === reason;",
    "const isFinal = (c: E) => c.reason !== 'rate_limited' && c.reason !== 'unavailable';",
    "const passes = (c: E) => ['rate_limited', 'unavailable'].includes(c.reason);",
    "const passing = new Set(['unavailable', 'rate_limited']);",
  ])('are found once in %s', (text) => {
    expect(valueIn(countTransientTests, text)).toBe(1);
  });

  test.each([
    "const a = c.reason === 'rate_limited';",
    "const a = ['rate_limited', 'unavailable', 'failed'];",
    "type Reason = 'rate_limited' | 'unavailable';",
  ])('are not found in %s', (text) => {
    expect(valueIn(countTransientTests, text)).toBe(0);
  });
});

describe('deadlines', () => {
  const racing =
    'const callOff = engine.clock.after(ms, () => late.reject()); return await Promise.race([run(), late.promise]);';
  const joining = 'const callOff = after(ms, () => late.abort()); return run(AbortSignal.any([signal, late.signal]));';

  test('are races of a promise with the timer of the engine', () => {
    expect(valueIn(countDeadlines, `const inTime = async () => { ${racing} };`)).toBe(1);
    expect(valueIn(countDeadlines, `async function inTime() { ${racing} }`)).toBe(1);
    expect(countDeadlines(inOne(`const inTime = async () => { ${racing} };`)).places[0]).toMatch(/ inTime$/u);
  });

  test('by a signal alone are counted by themselves', () => {
    expect(valueIn(countLateSignals, `const inTime = () => { ${joining} };`)).toBe(1);
    expect(valueIn(countDeadlines, `const inTime = () => { ${joining} };`)).toBe(0);
    expect(valueIn(countLateSignals, `const inTime = async () => { ${joining} ${racing} };`)).toBe(0);
  });

  test('are none where the timer and the race are in two functions, or one is missing', () => {
    const apart = 'const a = () => engine.clock.after(1, f);\nconst b = () => Promise.race([x, y]);';
    expect(valueIn(countDeadlines, apart)).toBe(0);
    expect(valueIn(countDeadlines, 'const b = () => Promise.race([x, y]);')).toBe(0);
    expect(valueIn(countLateSignals, 'const b = () => AbortSignal.any([x, y]);')).toBe(0);
  });
});

test('types of a model route are found as interfaces and as aliases', () => {
  const members = '{ readonly provider: Provider; readonly upstreamModel: string }';
  expect(valueIn(countModelRoutes, `interface Maker ${members}`)).toBe(1);
  expect(valueIn(countModelRoutes, `export type Maker = ${members};`)).toBe(1);
  expect(valueIn(countModelRoutes, 'interface Call { readonly upstreamModel: string }')).toBe(0);
});

describe('conditional spreads', () => {
  test.each([
    'const a = { ...(x === undefined ? {} : { x }) };',
    'const a = { ...(x ? { x } : {}) };',
    'const a = { ...(x && { x }) };',
    'const a = { ...(x ?? {}) };',
    'f({ b, ...((x === null) ? ({}) : { x }) });',
  ])('are found in %s', (text) => {
    expect(valueIn(countConditionalSpreads, text)).toBe(1);
  });

  test.each([
    'const a = { ...x };',
    'const a = { ...(x ? { y } : { x }) };',
    'const a = [...(x === undefined ? [] : [x])];',
    'const a = x === undefined ? {} : { x };',
  ])('are not found in %s', (text) => {
    expect(valueIn(countConditionalSpreads, text)).toBe(0);
  });
});

describe('cast waivers', () => {
  const waiver = '// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- parsed above';

  test.each([
    `${waiver}\nconst a = b as C;`,
    `${waiver}\nconst a = b as unknown as C;`,
    'const a = b as unknown as C;',
    'const a = (b as unknown) as C;',
    '// @ts-expect-error\nconst a: C = b;',
  ])('are counted once in %j', (text) => {
    expect(valueIn(countCastWaivers, text)).toBe(1);
  });

  test.each([
    'const a = b as C;',
    'const a = b as unknown;',
    '// oxlint-disable-next-line no-control-regex\nconst a = /x/u;',
    "const a = 'oxlint-disable-next-line typescript/no-unsafe-type-assertion';",
  ])('are not found in %j', (text) => {
    expect(valueIn(countCastWaivers, text)).toBe(0);
  });
});

describe('the recipe for a resource type', () => {
  const before = section('How to add a route', '`packages/routes/src/a.ts`');
  const after = section('How to add a tool', '`packages/tools/src/b.ts`');

  test('is counted by the files that it names, each once', () => {
    const recipe = section(
      'How to add a resource type',
      '1. `x/<kind>.ts`, `x/y.ts` and `docs/<kind>s.md`; `keep`.\n2. `x/y.ts`',
    );
    expect(countKindRecipe(before + recipe + after).places).toEqual(['x/<kind>.ts', 'x/y.ts', 'docs/<kind>s.md']);
  });

  test('must be there', () => {
    expect(() => countKindRecipe(before + after)).toThrow('no recipe');
  });
});

describe('sizes', () => {
  test('count files, functions and parameters beyond their numbers', () => {
    expect(sizesIn(lines(250))).toEqual([0, 0, 0, 0]);
    expect(sizesIn(lines(251))).toEqual([1, 0, 0, 0]);
    expect(sizesIn(`const a = () => {\n${lines(38)}};`)).toEqual([0, 0, 0, 0]);
    expect(sizesIn(`const a = () => {\n${lines(39)}};`)).toEqual([0, 1, 0, 0]);
    expect(sizesIn(`function a() {\n${lines(69)}}`)).toEqual([0, 1, 1, 0]);
    expect(sizesIn('const a = (b, c, d, e) => 1;')).toEqual([0, 0, 0, 0]);
    expect(sizesIn('const a = { b(c, d, e, f, g) {} };')).toEqual([0, 0, 0, 1]);
  });
});

const word = (change: Partial<Word> = {}): Word => ({
  word: 'hop',
  pattern: '\\bhops?\\b',
  use: 'model round',
  in: ['prose'],
  goal: '0',
  ...change,
});
const placesIn = (files: Readonly<Record<string, string>>, of: Word, pages: Readonly<Record<string, string>> = {}) =>
  countWords(parse(files), new Map(Object.entries(pages)), [of]).flatMap(({ places }) => places);

describe('words', () => {
  test('are found in comments, in messages and in titles of tests, with their line and the word to use', () => {
    const source = "// one\n// A hop.\n/**\n * Two hops.\n */\nthrow new Error('the hop failed');\n";
    const suite = "test('runs a hop', () => { use('a hop in data'); });\nsuiteCase.each([1])(`hops of %s`, f);\n";
    expect(placesIn({ 'packages/x/src/a.ts': source, 'packages/x/src/a.test.ts': suite }, word())).toEqual([
      'packages/x/src/a.ts:2 hop → model round',
      'packages/x/src/a.ts:4 hops → model round',
      'packages/x/src/a.ts:6 hop → model round',
      'packages/x/src/a.test.ts:1 hop → model round',
      'packages/x/src/a.test.ts:2 hops → model round',
    ]);
  });

  test('are found in a page, and not in its code nor in the addresses of its links', () => {
    const page = 'A hop.\n\n```ts\nconst hop = 1;\n```\n\nThe `hop` of [a page](./hop.md).\n';
    expect(placesIn({}, word(), { 'docs/a.md': page })).toEqual(['docs/a.md:1 hop → model round']);
  });

  test('are found in names of files and of identifiers, each name once, only where that is asked for', () => {
    const files = {
      'packages/x/src/run-hops.ts': 'const lastHop = 1;\nuse(lastHop, hopeful);\n',
      'packages/x/src/other.ts': 'use(lastHop);\n',
    };
    expect(placesIn(files, word({ in: ['names'] }))).toEqual([
      'packages/x/src/run-hops.ts:1 the name run hops → model round',
      'packages/x/src/run-hops.ts:1 the name last hop → model round',
    ]);
    expect(placesIn(files, word())).toEqual([]);
  });

  test('of two are found across the end of a line of a comment', () => {
    const files = { 'packages/x/src/a.ts': '// whoever is\n// told of it\n\n// is\nf(); // told\n' };
    expect(placesIn(files, word({ pattern: '\\bis told\\b' }))).toHaveLength(1);
  });

  /** What a word of the list is looked for by, where the word itself is an explanation. */
  const written: Readonly<Record<string, string>> = {
    'answers (a function)': 'answers whether',
    'note of an upstream': 'upstream note',
    notice: 'a notice',
    'sound (a medium)': 'the sound',
    'row of a model': 'catalog row',
  };
  const samplesOf = ({ word: listed }: Word): readonly string[] =>
    (written[listed] ?? listed.replace(/ \(.*\)$/u, '')).split(', ');
  const inList = (where: 'prose' | 'names') =>
    readWords().flatMap((of) => (of.in.includes(where) ? samplesOf(of).map((sample) => [sample, of] as const) : []));

  test.each(inList('prose'))('of the list are found in prose: %s', (sample, of) => {
    expect(placesIn({ 'packages/x/src/a.ts': `// So ${sample} it is.` }, of)).toHaveLength(1);
  });

  test.each(inList('names'))('of the list are found in names: %s', (sample, of) => {
    expect(placesIn({ 'packages/x/src/a.ts': `use(${toName(sample)});` }, of)).toHaveLength(1);
  });
});

test('comments are told from what looks like one in a text, a template and a regular expression', () => {
  const source = inOne(
    "const a = '// no'; // one\nconst b = `/* no ${/* two */ a} // no`;\nconst c = /[/*]/u; /* three */\n",
  );
  const [of] = source.values();
  expect(of === undefined ? [] : commentsOf(of).map(({ text }) => text.trim())).toEqual(['one', 'two', 'three']);
});

const figure = (id: string, value: number): Figure => ({ ...countPlaces(id, '', []), value });

describe('ceilings', () => {
  test('hold a figure that is at most as high, and ask to be lowered', () => {
    expect(judge(figure('a', 3), { a: 3 })).toBe('held');
    expect(judge(figure('a', 2), { a: 3 })).toBe('lower the ceiling');
    expect(judge(figure('a', 4), { a: 3 })).toBe('worse');
    expect(judge(figure('toString', 4), {})).toBe('no ceiling');
  });

  test('are lowered, recorded and dropped, and never raised', () => {
    const figures = [figure('a', 2), figure('b', 9), figure('new', 5)];
    expect(lowerCeilings(figures, { a: 3, b: 7, gone: 1 })).toEqual({ a: 2, b: 7, new: 5 });
    expect(strayCeilings(figures, { a: 3, gone: 1 })).toEqual(['gone']);
  });
});
