import { GatewayError } from '@tollgate/contract';
import type { FoundResource } from '@tollgate/engine';
import type { GatewayRequest, GatewayResponse } from '../gateway-request.ts';
import { renderError } from '../render-error.ts';
import type { Service } from '../service.ts';
import { parseRange, type AskedRange } from './parse-range.ts';

/** Bytes in the blob store that a client may download; the same name always means the same bytes. */
export interface StoredContent {
  readonly blobKey: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
  /** Letters, digits, `-`, `_` and `.`: what a browser calls the file. */
  readonly fileName: string;
  readonly disposition: 'inline' | 'attachment';
  /** Tells this content from every other; goes into the ETag. */
  readonly tag: string;
}

/** A range is for a client that has a part of this very content; a client with another version gets the whole. */
const askedRange = (request: GatewayRequest, etag: string, sizeBytes: number): AskedRange => {
  const holds = request.header('if-range');
  if (request.method !== 'GET' || (holds !== null && holds !== etag)) return { kind: 'whole' };
  return parseRange(request.header('range'), sizeBytes);
};

/** The media type is declared and must not be guessed, so that no browser takes a document for a page of this service. */
const headersOf = (content: StoredContent, etag: string): Readonly<Record<string, string>> => ({
  'content-type': content.mimeType,
  'content-disposition': `${content.disposition}; filename="${content.fileName}"`,
  'accept-ranges': 'bytes',
  etag,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
});

// resources:content:headers
/**
 * A download: 200 with all of it, 206 with the range that was asked for, 416 where there is no such range, 404 where the bytes are
 * gone. Bytes are read from the store as the client takes them.
 */
export const contentAnswer = async (
  service: Service,
  request: GatewayRequest,
  content: StoredContent,
): Promise<GatewayResponse> => {
  const { sizeBytes } = content;
  const etag = `"${content.tag}"`;
  const range = askedRange(request, etag, sizeBytes);
  if (range.kind === 'unsatisfiable')
    return renderError(service, request, new GatewayError('range_not_satisfiable'), {
      form: 'object',
      headers: { 'accept-ranges': 'bytes', 'content-range': `bytes */${sizeBytes}` },
    });
  const { fromByte, toByte } = range.kind === 'part' ? range : { fromByte: 0, toByte: sizeBytes };
  const blob = await service.engine.storage.blobs.getStream(content.blobKey, { fromByte, toByte });
  if (blob === undefined) throw new GatewayError('not_found', { detail: 'The content has expired.' });
  return {
    status: range.kind === 'part' ? 206 : 200,
    headers: {
      ...headersOf(content, etag),
      'content-length': String(toByte - fromByte),
      ...(range.kind === 'part' ? { 'content-range': `bytes ${fromByte}-${toByte - 1}/${sizeBytes}` } : {}),
    },
    body: { kind: 'bytes', sizeBytes: toByte - fromByte, chunks: blob.chunks },
  };
};

// videos:content:index-default
/** The `index` of a content route: an integer of at least 0, the first where it is left out. */
export const contentIndex = (request: GatewayRequest): number => {
  const asked = new URLSearchParams(request.query).get('index') ?? '0';
  if (!/^\d{1,9}$/.test(asked))
    throw new GatewayError('invalid_request', {
      detail: 'The parameter index is no such number; accepted are integers of at least 0.',
    });
  return Number(asked);
};

/** Whether there can be content: not yet (409), or never or no more (404). */
export const checkFinished = ({ operation, resource: { kind, availability } }: FoundResource): void => {
  if (availability === 'deleted' || availability === 'expired')
    throw new GatewayError('not_found', {
      detail: `The ${kind} has ${availability === 'deleted' ? 'been deleted' : 'expired'}.`,
    });
  if (operation.endedAtMs === null)
    throw new GatewayError('request_in_progress', { detail: `The ${kind} is not finished.` });
};
