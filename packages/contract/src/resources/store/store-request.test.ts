import { expect, test } from 'vitest';
import { parseDocumentRequest, parseStoreRequest } from './store-request.ts';

const id = '0190f3a0-0000-7000-8000-00000000000a';

test('takes a store with a name or without [stores:body:display-name]', () => {
  expect(parseStoreRequest({ display_name: 'Handbooks' })).toEqual({ displayName: 'Handbooks' });
  expect(parseStoreRequest({})).toEqual({ displayName: null });
});

test.each([
  [{ display_name: 7 }, 'invalid_request', 'display_name'],
  [{ display_name: null }, 'invalid_request', 'display_name'],
  [{ display_name: '' }, 'invalid_request', 'display_name'],
  [{ display_name: 'x'.repeat(513) }, 'invalid_request', 'display_name'],
  [{ name: 'x' }, 'unsupported_parameter', 'name'],
  [[], 'invalid_request', 'JSON object'],
  [null, 'invalid_request', 'JSON object'],
])('refuses the store %j [stores:body:display-name]', (body, code, named) => {
  expect(() => parseStoreRequest(body)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(named) }),
  );
});

test('takes a document by the ids of its store and file [documents:body:fields]', () => {
  expect(parseDocumentRequest({ store: id.toUpperCase(), file: id })).toEqual({ store: id, file: id });
});

test.each([
  [{ file: id }, 'invalid_request', 'store'],
  [{ store: id }, 'invalid_request', 'file'],
  [{ store: 'x', file: id }, 'invalid_request', 'store'],
  [{ store: id, file: `files/${id}` }, 'invalid_request', 'file'],
  [{ store: id, file: 7 }, 'invalid_request', 'file'],
  [{ store: id, file: id, chunk: 1 }, 'unsupported_parameter', 'chunk'],
  ['text', 'invalid_request', 'JSON object'],
])('refuses the document %j [documents:body:fields]', (body, code, named) => {
  expect(() => parseDocumentRequest(body)).toThrow(
    expect.objectContaining({ code, message: expect.stringContaining(named) }),
  );
});
