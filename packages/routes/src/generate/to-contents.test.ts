import { parseGenerateRequest } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { toContents } from './to-contents.ts';

const contentsOf = (...parts: readonly object[]) => {
  const turns = parts.map((part, index) => ({ role: index % 2 === 0 ? 'model' : 'user', parts: [part] }));
  const body = { contents: [{ role: 'user', parts: [{ text: 'a' }] }, ...turns] };
  return toContents(parseGenerateRequest(body, { googleCompat: true, snakeCase: false }).contents, new Map());
};

test('finds the call of a response that has an id where the call had none', () => {
  const contents = contentsOf(
    { functionCall: { name: 'f' } },
    { functionResponse: { id: 'made-up', name: 'f', response: { result: 1 } } },
  );
  expect(contents[2]?.parts).toEqual([
    { kind: 'function_response', id: 'call-1-0', name: 'f', response: '{"result":1}' },
  ]);
});

test('takes no response to another call for one of a call that has its own id', () => {
  const called = { functionCall: { id: 'one', name: 'f' } };
  expect(() => contentsOf(called, { functionResponse: { id: 'two', name: 'f', response: {} } })).toThrow(
    expect.objectContaining({ code: 'invalid_request' }),
  );
});
