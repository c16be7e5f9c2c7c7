import { expect, test } from 'vitest';
import { askedCall } from './with-asked.ts';

test('a call shows the body that was read until it is dropped', () => {
  const call = askedCall({ route: 'POST /chat', identity: null, header: () => null }, { a: 1 });
  expect(call.readBody()).toEqual({ a: 1 });
  call.noteBody({ b: 2 });
  expect(call.readBody()).toEqual({ b: 2 });
  call.dropBody();
  expect(call.readBody()).toBeUndefined();
});
