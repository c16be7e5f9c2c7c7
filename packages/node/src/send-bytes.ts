import type { ServerResponse } from 'node:http';
import type { ByteBody } from '@tollgate/routes';

/** Resolves with whether the client has room again; a client that makes none for `stallMs` is disconnected. */
const roomAgain = (response: ServerResponse, stallMs: number): Promise<boolean> =>
  new Promise((resolve) => {
    const end = (room: boolean): void => {
      clearTimeout(timer);
      response.off('drain', onDrain).off('close', onClose);
      resolve(room);
    };
    const onDrain = (): void => end(true);
    const onClose = (): void => end(false);
    const timer = setTimeout(() => response.destroy(), stallMs);
    timer.unref();
    response.on('drain', onDrain).on('close', onClose);
  });

/**
 * Writes bytes to the socket as fast as the client takes them, and reads no further while it takes none. Where the source breaks
 * off the connection is cut, before as many bytes came as were announced.
 */
export const sendBytes = async (
  response: ServerResponse,
  { chunks }: Pick<ByteBody, 'chunks'>,
  stallMs: number,
): Promise<void> => {
  for await (const chunk of chunks) {
    if (response.destroyed) return;
    if (!response.write(chunk) && !(await roomAgain(response, stallMs))) return;
  }
  response.end();
  if (response.writableLength > 0) await roomAgain(response, stallMs);
};
