import { expect, test } from 'vitest';
import type { GatewayRequest } from './gateway-request.ts';
import { toFetch } from './to-fetch.ts';

/** A body in pieces, of a length that is not said. */
const inPieces = (...pieces: readonly string[]): Request =>
  new Request('http://gateway.test/a?b=c', {
    method: 'POST',
    duplex: 'half',
    body: new ReadableStream({
      start: (controller) => {
        for (const piece of pieces) controller.enqueue(Buffer.from(piece));
        controller.close();
      },
    }),
  });

const reading = async (request: Request, bytesMax: number): Promise<string> => {
  const handler = toFetch(async (asked) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of asked.readBodyChunks(bytesMax)) pieces.push(piece);
    return { status: 200, headers: {}, body: Buffer.concat(pieces).toString() };
  });
  return (await handler(request)).text();
};

test('reads a body in pieces up to its bound, and not one byte more', async () => {
  expect(await reading(inPieces('abcd', 'efgh'), 8)).toBe('abcdefgh');
  await expect(reading(inPieces('abcd', 'efghi'), 8)).rejects.toMatchObject({ why: 'too_large' });
});

test('reads nothing of a body that says that it is too long', async () => {
  const request = new Request('http://gateway.test/', {
    method: 'POST',
    body: 'abc',
    headers: { 'content-length': '9' },
  });
  await expect(reading(request, 8)).rejects.toMatchObject({ why: 'too_large' });
});

test('hands on path, query and method, and sends no body to a question for the head', async () => {
  const asked: Pick<GatewayRequest, 'method' | 'path' | 'query'>[] = [];
  const fetch = toFetch(({ method, path, query }) => {
    asked.push({ method, path, query });
    return Promise.resolve({ status: 200, headers: { 'x-a': 'b' }, body: 'text' });
  });
  expect(await (await fetch(new Request('http://gateway.test/a?b=c'))).text()).toBe('text');
  const head = await fetch(new Request('http://gateway.test/a', { method: 'HEAD' }));
  expect([head.headers.get('x-a'), head.body]).toEqual(['b', null]);
  expect(asked).toEqual([
    { method: 'GET', path: '/a', query: 'b=c' },
    { method: 'HEAD', path: '/a', query: '' },
  ]);
});
