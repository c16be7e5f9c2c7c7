import { expect, test } from 'vitest';
import { answerIdOf, asUpstreamId, readUpstreamIds, upstreamIdCharactersMax } from './upstream-id.ts';

test.each([
  ['an id with a line break', 'req\nforged line'],
  ['an id with a space', 'req 1'],
  ['an id outside of ASCII', 'req-ü'],
  ['an empty id', ''],
  ['an id that is too long', 'x'.repeat(upstreamIdCharactersMax + 1)],
  ['a number', 7],
])('keeps no id that could not be stored and printed: %s', (_what, value) => {
  expect(asUpstreamId(value)).toBeUndefined();
});

test('keeps an id of the greatest length', () => {
  const id = 'x'.repeat(upstreamIdCharactersMax);
  expect(asUpstreamId(id)).toBe(id);
});

test.each([
  ['x-request-id', { 'x-request-id': 'req_1' }],
  ['request-id', { 'request-id': 'req_1' }],
  ['a header that came twice', { 'x-request-id': ['req_1', 'req_2'] }],
  ['a later header, where the first is unusable', { 'x-request-id': 'a b', 'apim-request-id': 'req_1' }],
])('reads the id of a request from %s, and that of its answer beside it', (_what, headers) => {
  expect(readUpstreamIds(headers, 'chatcmpl-1')).toEqual({ upstreamId: 'req_1', answerId: 'chatcmpl-1' });
});

test('calls a request by its answer where it has no id of its own', () => {
  expect(readUpstreamIds({}, 'gen-1')).toEqual({ upstreamId: 'gen-1' });
  expect(readUpstreamIds({ date: 'today' })).toEqual({});
});

test.each([
  ['id', { id: 'chatcmpl-1' }, 'chatcmpl-1'],
  ['responseId', { responseId: 'r-1' }, 'r-1'],
  ['no object', 'text', undefined],
  ['an id that is none', { id: {} }, undefined],
])('finds the id of an answer in its body: %s', (_what, body, id) => {
  expect(answerIdOf(body)).toBe(id);
});
