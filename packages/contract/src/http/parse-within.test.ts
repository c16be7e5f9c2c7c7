import { expect, test } from 'vitest';
import { z } from 'zod';
import { faultSentence, toFault } from '../fields/field-fault.ts';
import { JsonRecord } from '../json/json-record.ts';
import { parseWithin } from './parse-within.ts';

/** Counts how often an entry is checked. */
const createCounted = () => {
  let looks = 0;
  const text = z.custom<string>((value) => {
    looks += 1;
    return typeof value === 'string';
  });
  return { text, looks: () => looks };
};

const many = (count: number): Readonly<Record<string, number>> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 0]));

const sentence = (schema: z.ZodType, input: unknown): string => {
  const result = parseWithin(schema, input);
  if (result.success) return 'accepted';
  const [issue] = result.issues;
  return issue === undefined ? '' : faultSentence(toFault(issue, { schema, input }), { schema, input });
};

test('finds a list that is too long before any of its entries is checked', () => {
  const { text, looks } = createCounted();
  const body = z.strictObject({ list: z.array(text).max(3).exactOptional(), inner: z.array(z.array(text).max(2)) });
  expect(sentence(body, { inner: [], list: Array.from({ length: 200_000 }, () => 0) })).toMatch(
    /^The field list is a list of 200000 entries, which is more than 3; /,
  );
  expect(sentence(body, { inner: [[], ['a', 'b', 'c']] })).toMatch(/^The field inner\[1\] is a list of 3 entries/);
  expect(looks()).toBe(0);
  expect(sentence(body, { inner: [['a', 'b']], list: ['a'] })).toBe('accepted');
});

test('finds an object of unknown fields before any of them is read, in each form of it', () => {
  const { text, looks } = createCounted();
  const one = z.strictObject({ type: z.literal('one'), text });
  const two = z.strictObject({ type: z.literal('two'), list: z.array(text).max(1) });
  const body = z.strictObject({ item: z.discriminatedUnion('type', [one, two]), free: JsonRecord.exactOptional() });
  expect(sentence(body, { item: { type: 'one', text: 'a', ...many(100_000) } })).toMatch(
    /^The field item\.k0 is not supported/,
  );
  expect(sentence(body, { ...many(100_000) })).toMatch(/^The field k0 is not supported/);
  expect(sentence(body, { item: { type: 'two', list: ['a', 'b'] } })).toMatch(/^The field item\.list is a list of 2/);
  expect(looks()).toBe(0);
  expect(sentence(body, { item: { type: 'one', text: 'a' }, free: many(100_000) })).toBe('accepted');
});

test('counts the entries of a map, and of a list that may be something else', () => {
  const { text, looks } = createCounted();
  const body = z.strictObject({
    map: z.record(z.string(), text).meta({ maxProperties: 2 }).exactOptional(),
    either: z.union([z.string(), z.array(text).max(2)]).exactOptional(),
  });
  expect(sentence(body, { map: many(200_000) })).toMatch(/^The field map /);
  expect(sentence(body, { either: Array.from({ length: 200_000 }, () => 0) })).toMatch(/^The field either is a list/);
  expect(looks()).toBe(0);
  expect(sentence(body, { map: { a: 'b' }, either: ['c'] })).toBe('accepted');
});

test('leaves a few unknown fields to the schema, which tells of them in its own order', () => {
  const body = z.strictObject({ a: z.string() });
  const result = parseWithin(body, { a: 0, b: 0, c: 0 });
  expect(result.success ? [] : result.issues.map(({ code }) => code)).toEqual(['invalid_type', 'unrecognized_keys']);
});
