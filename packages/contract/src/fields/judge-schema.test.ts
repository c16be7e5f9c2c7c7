import { expect, test } from 'vitest';
import { isWorkableSchema } from './judge-schema.ts';

const multiplied = (levels: number): Readonly<Record<string, unknown>> => {
  const $defs: Record<string, object> = { [`d${levels}`]: {} };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    $defs[`d${level}`] = { allOf: [next, next] };
  }
  return { $defs, $ref: '#/$defs/d0' };
};

test.each([
  ['an unresolved reference', { $ref: 'https://example.invalid/schema.json' }],
  ['a reference to itself', { $ref: '#' }],
  ['a reference that is no address', { $ref: 'http://[' }],
  ['a reference that is no text', { $ref: 7 }],
  ['a reference to nothing', { $ref: '#/$defs/none', $defs: {} }],
  ['a list that is none', { allOf: 7 }],
  ['an entry that is no schema', { anyOf: [7] }],
  ['values that are no list', { enum: 'a' }],
  ['properties that are a text', { type: 'object', properties: 'a'.repeat(100_000) }],
  ['references that multiply', multiplied(60)],
  [
    'references in a ring',
    { $ref: '#/$defs/a', $defs: { a: { not: { $ref: '#/$defs/b' } }, b: { $ref: '#/$defs/a' } } },
  ],
])('has no use for a schema with %s', (_, schema) => {
  expect(isWorkableSchema(schema)).toBe(false);
});

test.each([
  ['nothing', {}],
  ['properties', { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }],
  ['a few references that multiply', multiplied(8)],
  [
    'a tree',
    { $ref: '#/$defs/n', $defs: { n: { properties: { c: { type: 'array', items: { $ref: '#/$defs/n' } } } } } },
  ],
  ['an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here' } } }],
  ['a pointer of escapes', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': true } }],
  ['addresses of its own', { $ref: 'https://a.invalid/b', $defs: { b: { $id: 'https://a.invalid/b' } } }],
  ['a pattern of another dialect', { properties: { a: { pattern: '(?P<name>x)' } } }],
  ['a union', { anyOf: [{ type: 'string' }, { type: 'null' }, true], not: { enum: [1] } }],
  ['an unresolved reference deep inside', { properties: { a: { $ref: 'https://example.invalid/schema.json' } } }],
])('has use for a schema with %s', (_, schema) => {
  expect(isWorkableSchema(schema)).toBe(true);
});

test('ends, whatever refers to whatever', () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 500 }, (_, index) => [
      `d${index}`,
      { anyOf: [{ $ref: `#/$defs/d${(index * 7 + 1) % 500}` }, { $ref: `#/$defs/d${(index + 1) % 500}` }] },
    ]),
  );
  expect(isWorkableSchema({ $ref: '#/$defs/d0', $defs })).toBe(false);
});
