import type { ServerResponse } from 'node:http';
import { nodeHttp } from './node-http.ts';

/** Writes the body of an answer whose head is written, piece by piece. */
export interface BodyWriter {
  /** False where the socket asks for no more before `drain`. */
  write(text: string): boolean;
  end(): void;
}

const lastChunk = '0\r\n\r\n';

/**
 * Node hands a chunk to the socket in four pieces, its length and its line ends apart, which for the short events of many streams
 * costs more than the events. So the coding is written here, one string a chunk, and Node gets none. Where a
 * middleware has its own way of writing, or the client takes no chunks, nothing is changed.
 */
export const createBodyWriter = (response: ServerResponse): BodyWriter => {
  const { prototype } = nodeHttp.ServerResponse;
  const isNodes = response.write === prototype.write && response.end === prototype.end;
  if (!isNodes || !response.headersSent || !response.chunkedEncoding) {
    return { write: (text) => response.write(text), end: () => void response.end() };
  }
  response.chunkedEncoding = false;
  return {
    write: (text) => {
      const bytes = Buffer.byteLength(text);
      // Text of ASCII needs no encoding.
      const encoding = bytes === text.length ? 'latin1' : 'utf8';
      return response.write(`${bytes.toString(16)}\r\n${text}\r\n`, encoding);
    },
    end: () => void response.end(lastChunk),
  };
};
