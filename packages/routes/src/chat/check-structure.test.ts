import type { Generation, JsonObject, ResponseFormat } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { fitsSchema } from '../fits-schema.ts';
import { checkedFinish, type StructureJudge } from './check-structure.ts';
import { threadCpuMs } from '../../../../test/cpu-time.ts';

/** Far above the bound of one check on the loop and far below what an unbounded one would take. */
const patienceMs = 5_000;

/** On a busy machine the first check may take longer than the loop has for it. */
const judgeHere: StructureJudge = (schema, text) => {
  try {
    return Promise.resolve(fitsSchema(schema, JSON.parse(text)) ? 'fits' : 'does_not_fit');
  } catch {
    return Promise.resolve('unchecked');
  }
};
const check = (format: ResponseFormat, generation: Generation, judge = judgeHere) =>
  checkedFinish(judge, { projectId: 'a', format, generation });

const shaped = (schema: JsonObject): ResponseFormat => ({ kind: 'json_schema', name: 'answer', schema });

const answer = (text: string, rest: Partial<Generation> = {}): Generation => ({
  text,
  functionCalls: [],
  finish: 'stop',
  usage: [],
  ...rest,
});

const person = shaped({
  type: 'object',
  properties: { name: { type: 'string', pattern: '^[A-Z]' }, age: { type: 'integer' } },
  required: ['name'],
  additionalProperties: false,
});

test.each([
  ['{"name":"Ana","age":3}', 'stop'],
  ['{"name":"ana"}', 'length'],
  ['{"age":3}', 'length'],
  ['{"name":"Ana","age":3.5}', 'length'],
  ['{"name":"Ana","more":1}', 'length'],
  ['{"name":"An', 'length'],
  ['', 'length'],
])('tells %s for the schema of a person as %s', async (text, finish) => {
  expect(await check(person, answer(text))).toBe(finish);
});

test.each([
  ['{}', 'stop'],
  ['[]', 'length'],
  ['null', 'length'],
  ['7', 'length'],
  ['{', 'length'],
])('tells %s for json_object as %s', async (text, finish) => {
  expect(await check({ kind: 'json_object' }, answer(text))).toBe(finish);
});

test('leaves text, tool calls and partial answers as they are', async () => {
  const call = { kind: 'function_call', id: 'a', name: 'f', arguments: '{}' } as const;
  expect(await check({ kind: 'text' }, answer('no JSON'))).toBe('stop');
  expect(await check(person, answer('', { functionCalls: [call] }))).toBe('stop');
  expect(await check(person, answer('{"na', { finish: 'length' }))).toBe('length');
  expect(await check(person, answer('', { finish: 'content_filter' }))).toBe('content_filter');
});

test('follows references inside the schema, also recursive ones', async () => {
  const tree = shaped({
    $ref: '#/$defs/node',
    $defs: { node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
  });
  expect(await check(tree, answer('{"children":[{"children":[]}]}'))).toBe('stop');
  expect(await check(tree, answer('{"children":[{"children":[7]}]}'))).toBe('length');
});

test.each([
  ['an unresolved reference', { $ref: 'https://example.invalid/schema.json' }],
  ['a pattern of another dialect', { pattern: '(?P<name>x)' }],
])('does not hold %s, which only shows on an answer, against that answer', async (_, name) => {
  const format = shaped({ type: 'object', properties: { name } });
  expect(await check(format, answer('{"name":"x"}'))).toBe('stop');
});

const multiplied = (levels: number): JsonObject => {
  const $defs: Record<string, object> = { [`d${levels}`]: {} };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
};

const nestedIds = (levels: number): JsonObject => {
  let schema: JsonObject = {};
  for (let level = 0; level < levels; level += 1)
    schema = { $id: `https://a.invalid/${level}`, properties: { a: schema } };
  return { properties: { a: schema } };
};

test.each([
  ['a pattern that backtracks', { pattern: '^(a+)+$' }, JSON.stringify(`${'a'.repeat(60)}!`)],
  ['a pattern over property names', { patternProperties: { '^(a+)+$': {} } }, `{"${'a'.repeat(60)}!":1}`],
  ['references that double at every level', multiplied(60), '1'],
  ['ids that double at every level', nestedIds(80), '1'],
  [
    'comparison of all pairs',
    { uniqueItems: true },
    JSON.stringify(Array.from({ length: 50_000 }, (_, index) => ({ index }))),
  ],
])('hands a check by %s on after a short time on the event loop, and takes its finding', async (_, schema, text) => {
  const start = threadCpuMs();
  const format = shaped(schema);
  for (const [verdict, finish] of [
    ['unchecked', 'stop'],
    ['fits', 'stop'],
    ['does_not_fit', 'length'],
  ] as const) {
    const handed: unknown[] = [];
    const found = await check(format, answer(text), (...task) => {
      handed.push(task);
      return Promise.resolve(verdict);
    });
    expect(found).toBe(finish);
    expect(handed).toEqual([[schema, text, 'a']]);
  }
  expect(threadCpuMs() - start).toBeLessThan(patienceMs);
});

test('checks a schema without patterns at once, and leaves none to the judge', async () => {
  const format = shaped({ type: 'object', properties: { age: { type: 'integer' } } });
  const found: unknown[] = [];
  // On a busy machine a check may take longer than the loop has for it.
  for (let tries = 0; tries < 100 && found.at(-1) !== 'length'; tries += 1)
    found.push(await check(format, answer('{"age":"x"}'), () => Promise.resolve('unchecked')));
  expect(found.at(-1)).toBe('length');
});

test.each([
  ['a pattern', { pattern: '[' }],
  ['a pattern over property names', { patternProperties: { '[': {} } }],
  ['a text that is itself a pattern', { $defs: { a: { format: 'regex' } } }],
])('never compiles %s on the event loop', async (_, schema) => {
  const handed: unknown[] = [];
  const found = await check(shaped(schema), answer('{"a":"x"}'), (...task) => {
    handed.push(task);
    return Promise.resolve('does_not_fit');
  });
  expect(found).toBe('length');
  expect(handed).toEqual([[schema, '{"a":"x"}', 'a']]);
});

const handedOn: StructureJudge = () => Promise.reject(new Error('it was handed on'));

test('does not compile the patterns of a long answer anywhere', async () => {
  const format = shaped({ properties: { a: { format: 'regex' } } });
  const long = answer(JSON.stringify({ a: '\\p{L}'.repeat(1_000) }));
  expect(await check(format, long, handedOn)).toBe('stop');
});

test('changes nothing of the schema that goes on to the provider', async () => {
  const schema = multiplied(3);
  const before = JSON.stringify(schema);
  await check(shaped(schema), answer('1'));
  expect(JSON.stringify(schema)).toBe(before);
  expect(Object.keys(schema)).toEqual(['$defs', '$ref']);
});
