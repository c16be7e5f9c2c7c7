import { expect, test } from 'vitest';
import { toResponseSchema } from './response-schema.ts';

test('writes a constant as a list of one value at every depth', () => {
  const schema = {
    type: 'object',
    properties: {
      const: { const: 1 },
      list: { type: 'array', items: { const: null }, prefixItems: [{ const: 'a' }] },
      either: { anyOf: [{ const: 'b' }, true, { oneOf: [{ allOf: [{ const: false }] }] }] },
    },
    additionalProperties: { const: {} },
    $defs: { inner: { not: { const: 2 } } },
  };
  expect(toResponseSchema(schema)).toEqual({
    type: 'object',
    properties: {
      const: { enum: [1] },
      list: { type: 'array', items: { enum: [null] }, prefixItems: [{ enum: ['a'] }] },
      either: { anyOf: [{ enum: ['b'] }, true, { oneOf: [{ allOf: [{ enum: [false] }] }] }] },
    },
    additionalProperties: { enum: [{}] },
    $defs: { inner: { not: { enum: [2] } } },
  });
});

test('leaves values and other keywords alone', () => {
  const schema = {
    type: 'object',
    enum: [{ const: 1 }],
    default: { const: 1 },
    examples: [{ const: 1 }],
    additionalProperties: false,
    $ref: '#/$defs/a',
  };
  expect(toResponseSchema(schema)).toEqual(schema);
});

test('lets a constant win over a list', () => {
  expect(toResponseSchema({ enum: [1, 2], const: 2 })).toEqual({ enum: [2] });
  expect(toResponseSchema({ const: 2, enum: [1, 2] })).toEqual({ enum: [2] });
});
