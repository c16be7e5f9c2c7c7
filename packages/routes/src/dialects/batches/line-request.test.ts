import { bodyTurnBounds } from '@tollgate/contract';
import { expect, test } from 'vitest';
import { lineRequest } from './line-request.ts';
import type { GatewayRequest } from '../../gateway-request.ts';

const { largeBytesMin } = bodyTurnBounds;

test('a long line is read in pieces, each of which waits for a turn of the request that named the file', async () => {
  let turns = 0;
  const asked: GatewayRequest = {
    method: 'POST',
    path: '/batches',
    query: '',
    header: () => null,
    readBody: () => Promise.resolve({ kind: 'incomplete' }),
    readBodyChunks: () => {
      throw new Error('the body of the request that named the file was read');
    },
    isGone: () => false,
    onGone: () => () => undefined,
    turn: () => {
      turns += 1;
      return Promise.resolve();
    },
  };
  const sizes: number[] = [];
  const line = lineRequest(asked, Buffer.alloc(3 * largeBytesMin, 0x20));
  for await (const chunk of line.readBodyChunks(Number.MAX_SAFE_INTEGER)) sizes.push(chunk.byteLength);
  expect(sizes).toEqual([largeBytesMin, largeBytesMin, largeBytesMin]);
  // The first piece is at hand, and the others are not.
  expect(turns).toBe(2);
});
