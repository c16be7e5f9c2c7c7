/** What a start line and headers say about the rest of a message. */
interface Head {
  /** First line, without its end. */
  readonly startLine: string;
  /** Bytes of the body, or null where it is chunked. */
  readonly bodyBytes: number | null;
}

export interface MessageCounter {
  /** Takes in the bytes of one read; calls back for each message that they complete. The buffer may be reused after. */
  feed(bytes: Buffer): void;
}

const headEnd = Buffer.from('\r\n\r\n');
const lineEnd = Buffer.from('\r\n');
const contentLength = /\r\ncontent-length: *(\d+)/i;
const chunkedEncoding = /\r\ntransfer-encoding: *chunked/i;

const readHead = (text: string): Head => {
  const [startLine = ''] = text.split('\r\n', 1);
  if (chunkedEncoding.test(text)) return { startLine, bodyBytes: null };
  return { startLine, bodyBytes: Number(contentLength.exec(text)?.[1] ?? 0) };
};

type Place =
  | { readonly kind: 'head' }
  | { readonly kind: 'body'; readonly left: number; readonly of: Head }
  | { readonly kind: 'chunk_size'; readonly of: Head }
  /** The data of a chunk and the line end behind it. */
  | { readonly kind: 'chunk'; readonly left: number; readonly of: Head }
  | { readonly kind: 'trailer'; readonly of: Head };

type Step =
  | { readonly kind: 'moved'; readonly to: Place; readonly taken: number }
  | { readonly kind: 'completed'; readonly of: Head; readonly taken: number }
  | { readonly kind: 'starved' };

const afterHead = (head: Head, taken: number): Step => {
  if (head.bodyBytes === null) return { kind: 'moved', to: { kind: 'chunk_size', of: head }, taken };
  if (head.bodyBytes === 0) return { kind: 'completed', of: head, taken };
  return { kind: 'moved', to: { kind: 'body', left: head.bodyBytes, of: head }, taken };
};

const starved: Step = { kind: 'starved' };

const stepHead = (bytes: Buffer): Step => {
  const end = bytes.indexOf(headEnd);
  return end === -1 ? starved : afterHead(readHead(bytes.toString('latin1', 0, end)), end + headEnd.length);
};

const stepChunkSize = (bytes: Buffer, of: Head): Step => {
  const end = bytes.indexOf(lineEnd);
  if (end === -1) return starved;
  const size = Number.parseInt(bytes.toString('latin1', 0, end), 16);
  const taken = end + lineEnd.length;
  if (size === 0) return { kind: 'moved', to: { kind: 'trailer', of }, taken };
  return { kind: 'moved', to: { kind: 'chunk', left: size + lineEnd.length, of }, taken };
};

const stepTrailer = (bytes: Buffer, of: Head): Step => {
  const end = bytes.indexOf(lineEnd);
  if (end === -1) return starved;
  const taken = end + lineEnd.length;
  return end === 0 ? { kind: 'completed', of, taken } : { kind: 'moved', to: { kind: 'trailer', of }, taken };
};

const step = (place: Place, bytes: Buffer): Step => {
  switch (place.kind) {
    case 'head':
      return stepHead(bytes);
    case 'body': {
      if (bytes.length >= place.left) return { kind: 'completed', of: place.of, taken: place.left };
      return { kind: 'moved', to: { ...place, left: place.left - bytes.length }, taken: bytes.length };
    }
    case 'chunk': {
      if (bytes.length < place.left)
        return { kind: 'moved', to: { ...place, left: place.left - bytes.length }, taken: bytes.length };
      return { kind: 'moved', to: { kind: 'chunk_size', of: place.of }, taken: place.left };
    }
    case 'chunk_size':
      return stepChunkSize(bytes, place.of);
    case 'trailer':
      return stepTrailer(bytes, place.of);
  }
};

/**
 * Counts whole HTTP/1.1 messages in a stream of reads, by content length or chunks, and does no more: a parser for
 * measuring, of messages that come from programs under test.
 */
export const createMessageCounter = (onMessage: (startLine: string) => void): MessageCounter => {
  let place: Place = { kind: 'head' };
  let rest: Buffer | null = null;
  return {
    feed: (read) => {
      let bytes = rest === null ? read : Buffer.concat([rest, read]);
      rest = null;
      while (bytes.length > 0) {
        const next = step(place, bytes);
        if (next.kind === 'starved') {
          // A copy, for the caller's buffer is reused.
          rest = Buffer.from(bytes);
          return;
        }
        place = next.kind === 'moved' ? next.to : { kind: 'head' };
        bytes = bytes.subarray(next.taken);
        if (next.kind === 'completed') onMessage(next.of.startLine);
      }
    },
  };
};
