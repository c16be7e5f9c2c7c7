import { describe, expect, test } from 'vitest';
import type { GatewayRequest } from '../gateway-request.ts';
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
});

const credential = (headers: Readonly<Record<string, string>>) =>
  fromGoogleRequest(base, requestOf('/v1/models', headers))?.header('authorization');

describe('a request of a Google client', () => {
  test.each([
    ['/api/v1/ai/v1beta/models/m:generateContent', '/api/v1/ai/models/m:generateContent'],
    ['/api/v1/ai/v1/models', '/api/v1/ai/models'],
    ['/v1beta/models/m:embedContent', '/api/v1/ai/models/m:embedContent'],
    ['/v1/models/v1/x', '/api/v1/ai/models/v1/x'],
  ])('is told by its path: %s', (path, expected) => {
    const request = fromGoogleRequest(base, requestOf(path));
    expect([request?.path, request?.query, request?.dialect]).toEqual([expected, 'alt=sse', 'google']);
  });

  test.each([['x-goog-api-key'], ['x-goog-api-client']])('is told by the header %s', (name) => {
    const request = fromGoogleRequest(base, requestOf(`${base}/models`, { [name]: 'k' }));
    expect([request?.path, request?.dialect]).toEqual([`${base}/models`, 'google']);
  });

  test.each([[`${base}/models`], ['/models'], ['/v1beta'], [`${base}/v2/models`], [`${base}/v1betas/models`]])(
    'is not %s without such a header',
    (path) => {
      expect(fromGoogleRequest(base, requestOf(path))).toBeNull();
    },
  );

  test('brings its key as the credential, unless it has a Bearer one', () => {
    expect(credential({ 'x-goog-api-key': 'abc' })).toBe('Bearer abc');
    expect(credential({ 'x-goog-api-key': 'dummy', authorization: 'Bearer abc' })).toBe('Bearer abc');
    expect(credential({})).toBeNull();
  });

  test('keeps its other headers and its body', async () => {
    const request = fromGoogleRequest(base, requestOf('/v1/models', { 'idempotency-key': 'one' }));
    expect(request?.header('idempotency-key')).toBe('one');
    expect(await request?.readBody(1)).toEqual({ kind: 'incomplete' });
    expect(request?.isGone()).toBe(false);
  });
});
