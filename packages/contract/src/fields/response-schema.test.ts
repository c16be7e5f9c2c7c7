import { expect, test } from 'vitest';
import { checkResponseSchema } from './response-schema.ts';
import { compilesPatterns } from './schema-patterns.ts';

const faultOf = (schema: unknown): string => {
  try {
    checkResponseSchema(schema, ['response_format', 'schema']);
    return '';
  } catch (error) {
    return String(error instanceof Error ? error.message : error);
  }
};
const patterns = (count: number, pattern: string) => ({
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { pattern }])),
});

test('takes the patterns that clients send', () => {
  expect(faultOf({ properties: { a: { pattern: '^[A-Z]{2}\\d+$' } }, patternProperties: { '^x-': {} } })).toBe('');
  expect(faultOf({ pattern: 'a'.repeat(1_000) })).toBe('');
  expect(faultOf(patterns(4, 'a'.repeat(1_000)))).toBe('');
  expect(faultOf({ pattern: '\\p{L}'.repeat(20) })).toBe('');
  expect(faultOf({ properties: { pattern: { type: 'string' } } })).toBe('');
  expect(faultOf(undefined)).toBe('');
});

test.each([
  [
    { properties: { a: { items: [{ pattern: 'a'.repeat(1_001) }] } } },
    'properties.a.items[0].pattern has a pattern of 1001 characters; accepted are at most 1000.',
  ],
  [
    { patternProperties: { ['a'.repeat(1_001)]: {} } },
    'patternProperties has a pattern of 1001 characters; accepted are at most 1000.',
  ],
  [
    { $defs: { a: { pattern: `[${'\\p{L}'.repeat(21)}]` } } },
    '$defs.a.pattern brings the patterns of its schema to 21 property escapes such as \\p{L}; accepted are at most 20.',
  ],
  [
    { not: { pattern: '\\P{L}'.repeat(21) } },
    'not.pattern brings the patterns of its schema to 21 property escapes such as \\p{L}; accepted are at most 20.',
  ],
])('refuses patterns that are slow to compile, and names the place', (schema, message) => {
  expect(faultOf(schema)).toContain(`The field response_format.schema.${message}`);
});

test('refuses more patterns than all of a schema may have together', () => {
  expect(faultOf(patterns(5, 'a'.repeat(1_000)))).toMatch(
    /\.pattern brings the patterns of its schema to 5000 characters; accepted are at most 4000\.$/,
  );
});

test.each([
  [{ type: 'object', properties: { pattern: { type: 'string' } } }, false],
  [{ properties: { a: { format: 'date' } } }, false],
  [{ properties: { a: { pattern: 'x' } } }, true],
  [{ $defs: { a: [{ patternProperties: { x: {} } }] } }, true],
  [{ items: { format: 'regex' } }, true],
])('knows whether a check by %j compiles anything', (schema, compiles) => {
  expect(compilesPatterns(schema)).toBe(compiles);
});
