import { oneChunk } from '@tollgate/storage';
import type { GatewayRequest } from '../../gateway-request.ts';
import { chunksInTurns } from '../../with-turns.ts';

/** A line of a file as a request of its own, with the turns of the request that named the file. */
export const lineRequest = (asked: GatewayRequest, bytes: Uint8Array): GatewayRequest => ({
  ...asked,
  method: 'POST',
  header: (name) => (name === 'content-type' ? 'application/json' : null),
  readBody: () => Promise.resolve({ kind: 'read', bytes }),
  readBodyChunks: () => (asked.turn === undefined ? oneChunk(bytes) : chunksInTurns(oneChunk(bytes), asked.turn)),
});
