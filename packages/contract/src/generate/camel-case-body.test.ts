import { expect, test } from 'vitest';
import { camelCaseBody } from './camel-case-body.ts';

test("renames fields in snake case wherever they are, and nothing inside what is the client's own", () => {
  expect(
    camelCaseBody({ a: [{ in_line: { mime_type: 'x' } }, 1, null], function_call: { args: { my_field: 1 } } }),
  ).toEqual({ a: [{ inLine: { mimeType: 'x' } }, 1, null], functionCall: { args: { my_field: 1 } } });
});

test('returns a body in camel case as it is, without a copy', () => {
  const body = { contents: [{ role: 'user', parts: [{ text: 'a' }] }], tools: [] };
  expect(camelCaseBody(body)).toBe(body);
});

test('copies only what is changed', () => {
  const same = { parts: [{ text: 'a' }] };
  const body = { contents: [same, { in_line: 1 }] };
  const after = camelCaseBody(body);
  expect(after).toEqual({ contents: [same, { inLine: 1 }] });
  expect(Object.values(Object(after) as Record<string, readonly unknown[]>)[0]?.[0]).toBe(same);
});

test('refuses a field in both spellings', () => {
  expect(() => camelCaseBody({ a: { mimeType: 'x', mime_type: 'y' } })).toThrow('given twice');
});
