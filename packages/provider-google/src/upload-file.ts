import type { CallContext } from '@tollgate/provider';
import { asObject, parseJson } from './json-value.ts';
import { send, type WireAnswer } from './send.ts';
import { UnknownOutcome } from './unknown-outcome.ts';
import { readUpstreamFile, type UpstreamFile } from './upstream-file.ts';
import { uploadPath, type Upstream } from './upstream.ts';
import { jsonBody } from './wire-body.ts';

/** Bytes to be given to the upstream. */
export interface UploadSource {
  readonly mimeType: string;
  readonly sizeBytes: number;
  readonly displayName?: string;
  readonly read: () => AsyncIterable<Uint8Array>;
}

export interface UploadOptions {
  readonly context: CallContext;
  readonly deadlineMs: number;
}

/** The upstream refuses longer names. */
const displayNameCharactersMax = 512;

/**
 * Gives the upstream a copy, by its resumable protocol: a start, and pieces of which the last one finishes. Holds one piece
 * in memory. Nothing of it is charged.
 */
export const uploadFile = async (
  upstream: Upstream,
  source: UploadSource,
  options: UploadOptions,
): Promise<UpstreamFile> => {
  const path = await startUpload(upstream, source, options);
  let offset = 0;
  for await (const piece of inPieces(source, upstream.limits.uploadChunkBytes)) {
    const isLast = offset + piece.length === source.sizeBytes;
    const answer = await send(upstream, {
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/octet-stream',
        'x-goog-upload-command': isLast ? 'upload, finalize' : 'upload',
        'x-goog-upload-offset': String(offset),
      },
      body: { kind: 'bytes', bytes: piece },
      ...options,
    });
    offset += piece.length;
    if (isLast) return readFinal(upstream, answer);
    if (answer.headers['x-goog-upload-status'] !== 'active') throw new UnknownOutcome('unreadable_answer');
  }
  throw new Error(`a file of ${source.sizeBytes} bytes has ${offset}`);
};

/** Answers the path that the pieces go to, always at the upstream's own origin. */
const startUpload = async (upstream: Upstream, source: UploadSource, options: UploadOptions): Promise<string> => {
  const displayName = source.displayName?.slice(0, displayNameCharactersMax).toWellFormed();
  const file = { ...(displayName === undefined ? {} : { displayName }), mimeType: source.mimeType };
  const answer = await send(upstream, {
    method: 'POST',
    path: uploadPath(upstream, 'files'),
    headers: {
      'x-goog-upload-protocol': 'resumable',
      'x-goog-upload-command': 'start',
      'x-goog-upload-header-content-length': String(source.sizeBytes),
      'x-goog-upload-header-content-type': source.mimeType,
    },
    body: jsonBody({ file: { ...file, sizeBytes: String(source.sizeBytes) } }),
    ...options,
  });
  const given = answer.headers['x-goog-upload-url'];
  if (typeof given !== 'string' || !URL.canParse(given, upstream.origin)) throw new UnknownOutcome('unreadable_answer');
  const { pathname, search } = new URL(given, upstream.origin);
  return `${pathname}${search}`;
};

const readFinal = (upstream: Upstream, answer: WireAnswer): UpstreamFile => {
  const file = readUpstreamFile(asObject(parseJson(answer.body))?.['file'], upstream.now());
  if (answer.headers['x-goog-upload-status'] !== 'final' || file === undefined) {
    throw new UnknownOutcome('unreadable_answer');
  }
  return file;
};

/**
 * The bytes in pieces of one size, the last one smaller; nothing of the last where the size is not the announced one. All
 * pieces lie in one buffer: each has to be done with before the next is asked for.
 */
const inPieces = async function* (source: UploadSource, pieceBytes: number): AsyncIterable<Buffer> {
  const piece = Buffer.allocUnsafe(Math.min(pieceBytes, source.sizeBytes));
  let filled = 0;
  let sizeBytes = 0;
  for await (const chunk of source.read()) {
    sizeBytes += chunk.length;
    if (sizeBytes > source.sizeBytes) return;
    let at = 0;
    while (at < chunk.length) {
      // A full piece waits for what comes after it, for the last one is sent in another way.
      if (filled === piece.length) {
        yield piece;
        filled = 0;
      }
      const taken = Math.min(piece.length - filled, chunk.length - at);
      piece.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
    }
  }
  if (sizeBytes === source.sizeBytes) yield piece.subarray(0, filled);
};
