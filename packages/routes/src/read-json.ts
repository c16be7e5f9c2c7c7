import { isUtf8 } from 'node:buffer';
import { GatewayError } from '@tollgate/contract';
import type { GatewayRequest } from './gateway-request.ts';

const jsonType = /^application\/json\s*(;|$)/i;

/** A missing content type is read as JSON; any other is refused (errors:body:content-type). */
const checkContentType = (request: GatewayRequest): void => {
  const type = request.header('content-type');
  if (type !== null && type !== '' && !jsonType.test(type))
    throw new GatewayError('unsupported_content', { detail: 'The body must be sent as application/json.' });
};

export interface JsonBody {
  /** The exact bytes, which are what identity is about. */
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

const parseJson = (bytes: Uint8Array): unknown => {
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', { detail: 'The body is not valid UTF-8.' });
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')) as unknown;
  } catch (cause) {
    throw new GatewayError('invalid_json', { cause });
  }
};

/** Reads and parses a body of at most so many bytes (chat:body:max-bytes). */
export const readJson = async (request: GatewayRequest, bytesMax: number): Promise<JsonBody> => {
  checkContentType(request);
  const read = await request.readBody(bytesMax);
  switch (read.kind) {
    case 'too_large':
      throw new GatewayError('body_too_large');
    case 'incomplete':
      throw new GatewayError('invalid_json', { detail: 'The body ended before it was complete.' });
    case 'read':
      return { bytes: read.bytes, value: parseJson(read.bytes) };
  }
};
