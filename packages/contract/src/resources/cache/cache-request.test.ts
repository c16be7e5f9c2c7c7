import { expect, test } from 'vitest';
import { parseCachePatch, parseCacheRequest } from './cache-request.ts';
import { isGatewayError } from '../../http/gateway-error.ts';

const policy = { googleCompat: false, snakeCase: false };
const contents = [{ parts: [{ text: 'A long book' }] }];

const codeOf = (parse: () => unknown): string | null => {
  try {
    parse();
  } catch (cause) {
    if (isGatewayError(cause)) return cause.code;
    throw cause;
  }
  return null;
};

test('reads contents with or without a role, and a name [caches:body:fields]', () => {
  const body = {
    display_name: 'Book',
    ttl_seconds: 60,
    contents: [...contents, { role: 'model', parts: [{ text: 'Yes' }] }],
  };
  expect(parseCacheRequest(body, policy)).toEqual({
    displayName: 'Book',
    ttlSeconds: 60,
    contents: [
      { role: 'user', parts: [{ kind: 'text', text: 'A long book' }] },
      { role: 'model', parts: [{ kind: 'text', text: 'Yes' }] },
    ],
  });
});

test.each([1, 604_800])(
  'takes a time to live of %s seconds [caches:body:ttl-range] [caches:patch:ttl-required]',
  (ttl) => {
    expect(parseCacheRequest({ ttl_seconds: ttl, contents }, policy).ttlSeconds).toBe(ttl);
    expect(parseCachePatch({ ttl_seconds: ttl })).toBe(ttl);
  },
);

test.each([0, 604_801, 1.5, '60', null, undefined])(
  'refuses a time to live of %j [caches:body:ttl-range] [caches:patch:ttl-required]',
  (ttl) => {
    expect(codeOf(() => parseCacheRequest({ ttl_seconds: ttl, contents }, policy))).toBe('invalid_request');
    expect(codeOf(() => parseCachePatch({ ttl_seconds: ttl }))).toBe('invalid_request');
  },
);

test.each([
  ['no contents', { ttl_seconds: 60 }, 'invalid_request'],
  ['no content at all', { ttl_seconds: 60, contents: [] }, 'invalid_request'],
  ['an unknown role', { ttl_seconds: 60, contents: [{ role: 'system', parts: [{ text: 'x' }] }] }, 'invalid_role'],
  ['a model', { model: 'm', ttl_seconds: 60, contents }, 'unsupported_parameter'],
  ['a list', [], 'invalid_request'],
])('refuses %s [caches:body:fields]', (_, body, code) => {
  expect(codeOf(() => parseCacheRequest(body, policy))).toBe(code);
});

test('refuses other fields beside the new time to live', () => {
  expect(codeOf(() => parseCachePatch({ ttl_seconds: 60, display_name: 'x' }))).toBe('unsupported_parameter');
});

test('reads contents in snake case where a host takes it', () => {
  const body = { ttl_seconds: 60, contents: [{ parts: [{ function_call: { name: 'f', args: { a_b: 1 } } }] }] };
  const [content] = parseCacheRequest(body, { ...policy, snakeCase: true }).contents;
  expect(content?.parts).toEqual([{ kind: 'function_call', name: 'f', args: { a_b: 1 } }]);
  expect(codeOf(() => parseCacheRequest(body, policy))).not.toBeNull();
});
