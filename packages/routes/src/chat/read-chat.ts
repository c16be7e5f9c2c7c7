import { limits } from '@tollgate/contract';
import { oneChunk } from '@tollgate/storage';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { liftedTextBytesMin } from '../media-json/split-media.ts';
import { identityPath } from '../named-model.ts';
import { bodyStoppedError, checkJsonType, parseJson } from '../parse-json.ts';
import type { Service } from '../service.ts';

const path = '/chat/completions';
const bytesMax = limits.bodyBytesMax.chat;

const places = ['image_url.url', 'input_audio.data', 'file.file_data'].map((part) => `messages.*.content.*.${part}`);

export interface ChatBody {
  /** As the client wrote it, but for long media, which are `LiftedData` in memory. */
  readonly value: unknown;
  // idempotency:body:exact-bytes
  /** Of method, path and the exact bytes. */
  readonly fingerprint: string;
}

/** Whether it says that it is long enough to hold what is lifted, or does not say on the wire how long it is. */
const isLong = (request: GatewayRequest): boolean =>
  Number(request.header('content-length') ?? 0) > liftedTextBytesMin || request.header('transfer-encoding') !== null;

/** Nothing is to be released of what is in memory. */
const readLong = (service: Service, request: GatewayRequest): Promise<ChatBody> =>
  readMediaJson(service, request, {
    path: identityPath(request, path),
    bytesMax,
    places,
    dataUrls: true,
    held: 'in_memory',
  });

// chat:body:max-bytes
/**
 * Reads and parses a body of at most so many bytes. Of long media neither the text nor the body around it is
 * in memory whole: sixteen chats with a large image at once would take ten times what the images have.
 */
export const readChat = async (service: Service, request: GatewayRequest): Promise<ChatBody> => {
  if (isLong(request)) return readLong(service, request);
  checkJsonType(request);
  const read = await request.readBody(bytesMax);
  if (read.kind !== 'read') throw bodyStoppedError(read.kind, bytesMax);
  const { bytes } = read;
  if (bytes.length <= liftedTextBytesMin) {
    const value = parseJson(bytes, service.bodyBounds);
    request.noteBody?.(value);
    return { value, fingerprint: fingerprint('POST', identityPath(request, path), bytes) };
  }
  // Its length was not known: the same body has the same fingerprint, however it came.
  return readLong(service, { ...request, readBodyChunks: () => oneChunk(bytes) });
};
