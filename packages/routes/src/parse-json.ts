import { isUtf8 } from 'node:buffer';
import { GatewayError } from '@tollgate/contract';
import type { GatewayRequest } from './gateway-request.ts';
import { settleNumbers } from './settle-numbers.ts';

const jsonType = /^application\/json\s*(;|$)/i;

/**
 * A missing content type is read as JSON; any other is refused (errors:body:content-type), and so is a body in a content coding:
 * none is decoded here, and packed bytes must not be taken for JSON that is broken.
 */
export const checkJsonType = (request: GatewayRequest): void => {
  const coding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new GatewayError('unsupported_content', { detail: 'The body must be sent without a Content-Encoding.' });
  const type = request.header('content-type');
  if (type !== null && type !== '' && !jsonType.test(type))
    throw new GatewayError('unsupported_content', { detail: 'The body must be sent as application/json.' });
};

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new GatewayError('invalid_json', { cause });
  }
};

export const parseJson = (bytes: Uint8Array): unknown => {
  if (!isUtf8(bytes)) throw new GatewayError('invalid_json', { detail: 'The body is not valid UTF-8.' });
  const value = parseText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  settleNumbers(value);
  return value;
};

/** What the client is told of a body that was not read to its end. */
export const bodyStoppedError = (why: 'too_large' | 'incomplete'): GatewayError =>
  why === 'too_large'
    ? new GatewayError('body_too_large')
    : new GatewayError('invalid_json', { detail: 'The body ended before it was complete.' });
