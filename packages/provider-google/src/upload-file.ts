import { asObject, type CallContext, UnknownOutcome } from '@tollgate/provider';
import { jsonBody } from '@tollgate/provider-http';
import { send, type WireAnswer } from './send.ts';
import { readUpstreamFile, type UpstreamFile } from './upstream-file.ts';
import { uploadPath, type Upstream } from './upstream.ts';

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
 * Gives the upstream a copy, by its resumable protocol: a start, and pieces of which the last one finishes. Bytes are sent
 * as they are read, and no piece is in memory. Nothing of it is charged.
 */
export const uploadFile = async (
  upstream: Upstream,
  source: UploadSource,
  options: UploadOptions,
): Promise<UpstreamFile> => {
  const { uploadChunkBytes } = upstream.limits;
  const path = await startUpload(upstream, source, options);
  for (let offset = 0; ; offset += uploadChunkBytes) {
    const end = Math.min(offset + uploadChunkBytes, source.sizeBytes);
    const isLast = end === source.sizeBytes;
    const answer = await send(upstream, {
      method: 'POST',
      path,
      headers: {
        'content-type': 'application/octet-stream',
        'x-goog-upload-command': isLast ? 'upload, finalize' : 'upload',
        'x-goog-upload-offset': String(offset),
      },
      body: { kind: 'pieces', byteLength: end - offset, read: () => readSlice(source, offset, end) },
      ...options,
    });
    if (isLast) return readFinal(upstream, answer);
    if (answer.headers['x-goog-upload-status'] !== 'active') throw new UnknownOutcome('unreadable_answer');
  }
};

/** Returns the path that the pieces go to, always at the upstream's own origin. */
const startUpload = async (upstream: Upstream, source: UploadSource, options: UploadOptions): Promise<string> => {
  const displayName = source.displayName?.slice(0, displayNameCharactersMax).toWellFormed();
  const file = { displayName, mimeType: source.mimeType };
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
  const file = readUpstreamFile(asObject(answer.json)?.['file'], upstream.now());
  if (answer.headers['x-goog-upload-status'] !== 'final' || file === undefined) {
    throw new UnknownOutcome('unreadable_answer');
  }
  return file;
};

/** The bytes between two places. Fails where the source has not as many bytes as was said. */
const readSlice = async function* (source: UploadSource, from: number, to: number): AsyncIterable<Uint8Array> {
  let at = 0;
  for await (const chunk of source.read()) {
    const slice = chunk.subarray(Math.max(0, from - at), Math.max(0, to - at));
    at += chunk.length;
    if (slice.length > 0) yield slice;
    // Of the last piece the rest is read too, to see that there is none.
    if (at >= to && to < source.sizeBytes) return;
  }
  if (at !== source.sizeBytes) throw new Error(`a file of ${source.sizeBytes} bytes has ${at}`);
};
