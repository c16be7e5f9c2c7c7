import { expect, test } from 'vitest';
import { toJsonSchema } from './openapi-to-json-schema.ts';

test('writes type names in lower case at every depth', () => {
  expect(
    toJsonSchema({
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING', description: 'A property that is called type.' },
        list: { type: 'ARRAY', items: { type: 'NUMBER' }, minItems: '1', maxItems: 3 },
        either: { anyOf: [{ type: 'INTEGER' }, { type: 'BOOLEAN' }] },
      },
      required: ['type'],
      propertyOrdering: ['type', 'list'],
    }),
  ).toEqual({
    type: 'object',
    properties: {
      type: { type: 'string', description: 'A property that is called type.' },
      list: { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 3 },
      either: { anyOf: [{ type: 'integer' }, { type: 'boolean' }] },
    },
    required: ['type'],
    propertyOrdering: ['type', 'list'],
  });
});

test('says nullable in the words of JSON Schema', () => {
  expect(toJsonSchema({ type: 'STRING', nullable: true, enum: ['a'] })).toEqual({
    type: ['string', 'null'],
    enum: ['a', null],
  });
  expect(toJsonSchema({ anyOf: [{ type: 'STRING' }], nullable: true })).toEqual({
    anyOf: [{ type: 'string' }, { type: 'null' }],
  });
  expect(toJsonSchema({ type: 'STRING', nullable: false })).toEqual({ type: 'string' });
});

test('leaves JSON Schema, and what it does not know, as it is', () => {
  const schema = {
    $defs: { node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } } },
    type: ['object', 'null'],
    additionalProperties: false,
    enum: ['STRING'],
    default: { type: 'STRING' },
    'x-own': { type: 'STRING' },
  };
  expect(toJsonSchema(schema)).toEqual(schema);
  expect(toJsonSchema(toJsonSchema(schema))).toEqual(schema);
});

test('takes whatever JSON a client writes', () => {
  for (const odd of [null, 1, 'x', [], [1], { type: 3 }, { properties: [] }, { items: null }, { anyOf: {} }])
    expect(() => toJsonSchema({ properties: odd, items: odd, anyOf: odd, nullable: true, type: odd })).not.toThrow();
  const hidden = JSON.parse('{"__proto__":{"type":"STRING"}}') as object;
  expect(JSON.stringify(toJsonSchema({ properties: hidden }))).toBe('{"properties":{"__proto__":{"type":"string"}}}');
});
