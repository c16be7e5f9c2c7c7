import type { IncomingMessage } from 'node:http';
import type { BodyRead } from '@tollgate/routes';
import { discardRest } from './discard-rest.ts';
import { readKeptBody, wasRead } from './kept-body.ts';
import type { NodeLimits } from './node-limits.ts';

/**
 * Reads a body straight from the socket: counted chunk by chunk, copied at most once. Throws where another reader has taken it
 * and kept nothing, for the exact bytes are gone then.
 */
export const readNodeBody = (request: IncomingMessage, bytesMax: number, limits: NodeLimits): Promise<BodyRead> =>
  wasRead(request) ? readKept(request, bytesMax) : readSocketBody(request, bytesMax, limits);

const readKept = async (request: IncomingMessage, bytesMax: number): Promise<BodyRead> =>
  readKeptBody(request, bytesMax);

/**
 * Puts the chunks of a body together. A body that comes in one chunk is that chunk; of a longer one whose length was declared
 * every chunk is copied as it comes and let go of, so that it is in memory once and not twice.
 */
const createBodyBytes = (declaredBytes: number) => {
  const chunks: Buffer[] = [];
  let whole: Buffer | null = null;
  let size = 0;
  return {
    add: (chunk: Buffer): void => {
      if (size === 0 && chunk.length < declaredBytes) whole = Buffer.allocUnsafeSlow(declaredBytes);
      if (whole === null) chunks.push(chunk);
      else chunk.copy(whole, size);
      size += chunk.length;
    },
    bytes: (): Buffer => {
      const [only] = chunks;
      if (whole !== null) return whole.subarray(0, size);
      return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks, size);
    },
  };
};

const readSocketBody = (request: IncomingMessage, bytesMax: number, limits: NodeLimits): Promise<BodyRead> =>
  new Promise((resolve) => {
    const body = createBodyBytes(Number(request.headers['content-length'] ?? 0));
    let size = 0;
    let timer: NodeJS.Timeout | undefined;
    const end = (read: BodyRead): void => {
      clearTimeout(timer);
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      resolve(read);
    };
    const refuse = (kind: 'too_large' | 'incomplete'): void => {
      end({ kind });
      discardRest(request, limits);
    };
    const onData = (chunk: Buffer): void => {
      size += chunk.length;
      if (size > bytesMax) refuse('too_large');
      else body.add(chunk);
    };
    const onEnd = (): void => end({ kind: 'read', bytes: body.bytes() });
    const onClose = (): void => end({ kind: 'incomplete' });
    if (Number(request.headers['content-length'] ?? 0) > bytesMax) {
      refuse('too_large');
      return;
    }
    if (request.destroyed) {
      resolve({ kind: 'incomplete' });
      return;
    }
    timer = setTimeout(() => refuse('incomplete'), limits.bodyMs);
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
