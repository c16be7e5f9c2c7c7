import { isGatewayError } from '@tollgate/contract';
import type { Generation, JsonObject, ResponseFormat } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { checkedFinish, checkSchema } from './check-structure.ts';

/** Far above the bound of one check and far below what an unbounded one would take. */
const patienceMs = 5_000;

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
])('tells %s for the schema of a person as %s', (text, finish) => {
  expect(checkedFinish(person, answer(text))).toBe(finish);
});

test.each([
  ['{}', 'stop'],
  ['[]', 'length'],
  ['null', 'length'],
  ['7', 'length'],
  ['{', 'length'],
])('tells %s for json_object as %s', (text, finish) => {
  expect(checkedFinish({ kind: 'json_object' }, answer(text))).toBe(finish);
});

test('leaves text, tool calls and partial answers as they are', () => {
  const call = { kind: 'function_call', id: 'a', name: 'f', arguments: '{}' } as const;
  expect(checkedFinish({ kind: 'text' }, answer('no JSON'))).toBe('stop');
  expect(checkedFinish(person, answer('', { functionCalls: [call] }))).toBe('stop');
  expect(checkedFinish(person, answer('{"na', { finish: 'length' }))).toBe('length');
  expect(checkedFinish(person, answer('', { finish: 'content_filter' }))).toBe('content_filter');
});

test('follows references inside the schema, also recursive ones', () => {
  const tree = shaped({
    $ref: '#/$defs/node',
    $defs: { node: { type: 'object', properties: { children: { type: 'array', items: { $ref: '#/$defs/node' } } } } },
  });
  checkSchema(tree);
  expect(checkedFinish(tree, answer('{"children":[{"children":[]}]}'))).toBe('stop');
  expect(checkedFinish(tree, answer('{"children":[{"children":[7]}]}'))).toBe('length');
});

test.each([
  ['an unresolved reference', { $ref: 'https://example.invalid/schema.json' }],
  ['a reference to itself', { $ref: '#' }],
  ['a reference that is no address', { $ref: 'http://[' }],
  ['a list that is none', { allOf: 7 }],
])('refuses a schema with %s before anything is reserved', (_, schema) => {
  const caught = (() => {
    try {
      checkSchema(shaped(schema));
      return null;
    } catch (cause) {
      return isGatewayError(cause) ? [cause.code, cause.message] : cause;
    }
  })();
  expect(caught).toEqual(['invalid_request', 'The field response_format.json_schema.schema is not a JSON Schema.']);
});

test.each([
  ['an unresolved reference', { $ref: 'https://example.invalid/schema.json' }],
  ['a pattern of another dialect', { pattern: '(?P<name>x)' }],
])('does not hold %s, which only shows on an answer, against that answer', (_, name) => {
  const format = shaped({ type: 'object', properties: { name } });
  checkSchema(format);
  expect(checkedFinish(format, answer('{"name":"x"}'))).toBe('stop');
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
])('gives up a check by %s after a bounded time, and lets the answer pass', (_, schema, text) => {
  const start = performance.now();
  const format = shaped(schema);
  checkSchema(format);
  expect(checkedFinish(format, answer(text))).toBe('stop');
  expect(performance.now() - start).toBeLessThan(patienceMs);
});

test('changes nothing of the schema that goes on to the provider', () => {
  const schema = multiplied(3);
  const before = JSON.stringify(schema);
  checkSchema(shaped(schema));
  checkedFinish(shaped(schema), answer('1'));
  expect(JSON.stringify(schema)).toBe(before);
  expect(Object.keys(schema)).toEqual(['$defs', '$ref']);
});
