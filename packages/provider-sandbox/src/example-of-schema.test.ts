import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { exampleOfSchema } from './example-of-schema.ts';

test.each([
  [{ const: 7 }, 7],
  [{ enum: ['b', 'a'] }, 'b'],
  [{ type: 'STRING' }, 'example'],
  [{ type: 'string', minLength: 20 }, 'example example exam'],
  [{ type: 'string', maxLength: 3 }, 'exa'],
  [{ type: 'string', format: 'date-time' }, '2026-01-01T00:00:00Z'],
  [{ type: ['null', 'string'] }, null],
  [{ type: 'integer', minimum: 2.5 }, 3],
  [{ type: 'integer', exclusiveMinimum: 4, multipleOf: 5 }, 10],
  [{ type: 'integer', maximum: -3 }, -3],
  [{ type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 }, 0.5],
  [{ type: 'array', items: { type: 'boolean' }, minItems: 2 }, [true, true]],
  [{ type: 'array', prefixItems: [{ const: 1 }, { const: 'b' }] }, [1, 'b']],
  [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 1],
  [{ allOf: [{ properties: { a: { const: 1 } } }, { properties: { b: { const: 2 } } }] }, { a: 1, b: 2 }],
  [{ $ref: '#/$defs/a', $defs: { a: { const: 'found' } } }, 'found'],
  [{ $ref: 'https://example.com/other.json' }, 'example'],
  [{}, 'example'],
])('makes an example of %j', (schema, example) => {
  expect(exampleOfSchema(schema)).toEqual(example);
});

test('makes examples that another validator accepts', () => {
  const schema = z.strictObject({
    id: z.uuid(),
    email: z.email(),
    when: z.iso.datetime(),
    kind: z.enum(['a', 'b']),
    size: z.number().min(2).max(9),
    count: z.int().positive(),
    tags: z.array(z.string().min(2)).min(3),
    nested: z.union([z.strictObject({ flag: z.literal(true), reference: z.string().nullable() }), z.string()]),
    maybe: z.string().optional(),
  });
  const example = exampleOfSchema(z.toJSONSchema(schema));
  expect(schema.parse(example)).toEqual(example);
});

test('ends for a schema that refers to itself', () => {
  const node = { type: 'object', properties: { next: { $ref: '#' }, value: { type: 'integer' } }, required: ['value'] };
  const text = JSON.stringify(exampleOfSchema(node));
  expect(text).toContain('"value":1');
  expect(text.length).toBeLessThan(1_000);
  expect(exampleOfSchema({ ...node, required: ['next'] })).toBeTypeOf('object');
});

test('stays small for a schema that asks for much', () => {
  const wide = { type: 'array', minItems: 1e9, items: { type: 'array', minItems: 1e9, items: { minLength: 1e9 } } };
  expect(JSON.stringify(exampleOfSchema(wide)).length).toBeLessThan(2_000_000);
});

test('answers something for any object', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('type', '$ref', 'items', 'properties', 'anyOf', 'enum'), fc.jsonValue()),
      (schema) => {
        expect(JSON.stringify(exampleOfSchema(schema))).toBeTypeOf('string');
      },
    ),
  );
});
