import { limits } from '@tollgate/contract';
import { fingerprint } from '../fingerprint.ts';
import type { GatewayRequest } from '../gateway-request.ts';
import { readMediaJson } from '../media-json/read-media-json.ts';
import { liftedTextBytesMin } from '../media-json/split-media.ts';
import { readJson } from '../read-json.ts';
import type { Service } from '../service.ts';

const path = '/chat/completions';

const places = ['image_url.url', 'input_audio.data', 'file.file_data'].map((part) => `messages.*.content.*.${part}`);

export interface ChatBody {
  /** As the client wrote it, but for long media, which are `LiftedData` in memory. */
  readonly value: unknown;
  /** Of method, path and the exact bytes (idempotency:body:exact-bytes). */
  readonly fingerprint: string;
}

/** Whether it says that it is too short to hold what would be lifted. */
const isShort = (request: GatewayRequest): boolean =>
  Number(request.header('content-length') ?? Number.NaN) <= liftedTextBytesMin;

/**
 * Reads and parses a body of at most so many bytes (chat:body:max-bytes). Of long media neither the text nor the body around it is
 * ever in memory whole: sixteen chats with a large image at once would take ten times what the images have.
 */
export const readChat = async (service: Service, request: GatewayRequest): Promise<ChatBody> => {
  const bytesMax = limits.bodyBytesMax.chat;
  if (!isShort(request)) {
    // Nothing is to be released of what is in memory.
    const { value, fingerprint: identity } = await readMediaJson(service, request, {
      path,
      bytesMax,
      places,
      dataUrls: true,
      held: 'in_memory',
    });
    return { value, fingerprint: identity };
  }
  const { value, bytes } = await readJson(request, bytesMax);
  return { value, fingerprint: fingerprint('POST', path, bytes) };
};
