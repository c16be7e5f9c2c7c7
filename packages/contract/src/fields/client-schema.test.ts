import { expect, test } from 'vitest';
import { checkClientSchema } from './client-schema.ts';

const properties = (count: number): Readonly<Record<string, object>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }]));

const nested = (depth: number): object => {
  let schema: object = {};
  for (let level = 1; level < depth; level += 1) schema = { not: schema };
  return schema;
};

test('takes schemas as large as clients send them', () => {
  expect(() => checkClientSchema({ type: 'object', properties: properties(4_900) }, ['schema'])).not.toThrow();
  expect(() => checkClientSchema({ description: 'a'.repeat(200_000) }, ['schema'])).not.toThrow();
  expect(() => checkClientSchema(nested(100), ['schema'])).not.toThrow();
  expect(() => checkClientSchema(undefined, ['schema'])).not.toThrow();
});

test.each([
  ['20000 values and field names', { properties: properties(5_100) }],
  ['20000 values and field names', { enum: Array.from({ length: 20_001 }, () => 0) }],
  ['262144 characters of text', { properties: 'a'.repeat(2_000_000) }],
  ['262144 characters of text', { properties: { ['a'.repeat(300_000)]: {} } }],
  ['1000 references', { allOf: Array.from({ length: 1_001 }, () => ({ $ref: '#/$defs/a' })), $defs: { a: {} } }],
])('refuses a schema of more than %s, and names the field', (what, schema) => {
  const max = what.split(' ', 1)[0];
  expect(() => checkClientSchema(schema, ['tools', 0, 'parameters'])).toThrow(
    `The field tools[0].parameters is a schema of more than ${what}; accepted are at most ${max}.`,
  );
});

test('refuses a schema that is nested too deeply, in the words of every value', () => {
  expect(() => checkClientSchema(nested(101), ['schema'])).toThrow(
    'The field schema is nested more than 100 levels deep; accepted are at most 100.',
  );
});
