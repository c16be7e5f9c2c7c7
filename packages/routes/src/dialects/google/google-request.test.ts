import { describe, expect, test } from 'vitest';
import type { GatewayRequest } from '../../gateway-request.ts';
import { fromGoogleRequest } from './google-request.ts';

const base = '/api/v1/ai';

const requestOf = (path: string, headers: Readonly<Record<string, string>> = {}): GatewayRequest => ({
  method: 'POST',
  path,
  query: 'alt=sse',
  header: (name) => headers[name] ?? null,
  readBody: () => Promise.resolve({ kind: 'incomplete' }),
  readBodyChunks: () => {
    throw new Error('nobody reads it');
  },
  isGone: () => false,
  onGone: () => () => {},
});

const credential = (headers: Readonly<Record<string, string>>) =>
  fromGoogleRequest(base, requestOf('/v1beta/models', headers)).header('authorization');

describe('a request of a Google client', () => {
  test.each([
    ['/api/v1/ai/v1beta/models/m:generateContent', '/api/v1/ai/models/m:generateContent'],
    ['/api/v1/ai/v1/models/m:countTokens', '/api/v1/ai/models/m:countTokens'],
    ['/v1beta/models/m:embedContent', '/api/v1/ai/models/m:embedContent'],
    ['/v1beta/models', '/api/v1/ai/models'],
    ['/v1/models/m%3AgenerateContent', '/api/v1/ai/models/m%3AgenerateContent'],
    ['/upload/v1beta/files', '/api/v1/ai/upload/files'],
    ['/api/v1/ai/upload/files', '/api/v1/ai/upload/files'],
  ])('is recognised by its path: %s', (path, expected) => {
    const request = fromGoogleRequest(base, requestOf(path));
    expect([request.path, request.query, request.dialect]).toEqual([expected, 'alt=sse', 'google']);
  });

  test.each([['x-goog-api-key'], ['x-goog-api-client']])('is recognised by the header %s', (name) => {
    for (const path of [`${base}/models`, '/v1/models', `${base}/v1/models`]) {
      const request = fromGoogleRequest(base, requestOf(path, { [name]: 'k' }));
      expect([request.path, request.dialect]).toEqual([`${base}/models`, 'google']);
    }
  });

  test.each(['key=abc', 'alt=sse&key=abc'])('is recognised by a key in its address: %s', (query) => {
    expect(fromGoogleRequest(base, { ...requestOf('/v1/models'), query }).dialect).toBe('google');
  });

  test.each([
    [`${base}/models`, `${base}/models`],
    ['/models', '/models'],
    ['/v1beta', '/v1beta'],
    [`${base}/v2/models`, `${base}/v2/models`],
    [`${base}/v1betas/models`, `${base}/v1betas/models`],
    ['/v1/models', `${base}/models`],
    ['/v1/models/flash-3.8', `${base}/models/flash-3.8`],
    [`${base}/v1/files`, `${base}/files`],
    ['/v1/chat/completions', `${base}/chat/completions`],
    ['/v1/models/v1/x', `${base}/models/v1/x`],
  ])('is not %s by itself, which is %s of another client', (path, expected) => {
    const request = fromGoogleRequest(base, { ...requestOf(path), query: 'monkey=1' });
    expect([request.path, request.dialect]).toEqual([expected, undefined]);
  });

  test('brings its key as the credential, unless it has a Bearer one', () => {
    expect(credential({ 'x-goog-api-key': 'abc' })).toBe('Bearer abc');
    expect(credential({ 'x-goog-api-key': 'dummy', authorization: 'Bearer abc' })).toBe('Bearer abc');
    expect(credential({})).toBeNull();
  });

  test('keeps its other headers and its body', async () => {
    const request = fromGoogleRequest(base, requestOf('/v1beta/models', { 'idempotency-key': 'one' }));
    expect(request.header('idempotency-key')).toBe('one');
    expect(await request.readBody(1)).toEqual({ kind: 'incomplete' });
    expect(request.isGone()).toBe(false);
  });
});
