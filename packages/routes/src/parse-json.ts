import { isUtf8 } from 'node:buffer';
import { GatewayError, jsonBreachError, safeName, scanJson, type JsonBounds } from '@tollgate/contract';
import type { GatewayRequest } from './gateway-request.ts';
import { settleNumbers } from './settle-numbers.ts';

const jsonType = /^application\/json\s*(;|$)/i;

// errors:body:content-type
/**
 * A missing content type is read as JSON; any other is refused, and so is a body in a content coding:
 * none is decoded here, and packed bytes must not be taken for JSON that is broken.
 */
export const checkJsonType = (request: GatewayRequest): void => {
  const coding = request.header('content-encoding')?.trim().toLowerCase() ?? '';
  if (coding !== '' && coding !== 'identity')
    throw new GatewayError('unsupported_content', {
      detail: `The body has the Content-Encoding ${safeName(coding)}; accepted is a body without one.`,
    });
  const type = request.header('content-type');
  if (type !== null && type !== '' && !jsonType.test(type))
    throw new GatewayError('unsupported_content', {
      detail: `The body has the Content-Type ${safeName(type.split(';', 1)[0] ?? '')}; accepted is application/json.`,
    });
};

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new GatewayError('invalid_json', {
      detail: `The body is ${text.length === 0 ? 'empty' : `text of ${text.length} characters that is no JSON`}; accepted is one JSON object.`,
      cause,
    });
  }
};

/** Parses JSON whose bytes were scanned, and are within their bounds. */
export const parseScanned = (bytes: Uint8Array, { hasOddNumber }: { readonly hasOddNumber: boolean }): unknown => {
  if (!isUtf8(bytes))
    throw new GatewayError('invalid_json', { detail: 'The body is not valid UTF-8; accepted is JSON in UTF-8.' });
  const value = parseText(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  if (hasOddNumber) settleNumbers(value);
  return value;
};

/** Scans JSON that is there whole, and parses it where it is within its bounds. */
export const parseJson = (bytes: Uint8Array, bounds: JsonBounds): unknown => {
  const scanned = scanJson(bytes, bounds);
  if (typeof scanned === 'string') throw jsonBreachError(scanned, bounds);
  return parseScanned(bytes, scanned);
};

/** The error for a body that was not read to its end. */
export const bodyStoppedError = (why: 'too_large' | 'incomplete', bytesMax: number): GatewayError =>
  why === 'too_large'
    ? new GatewayError('body_too_large', {
        detail: `The body has more than ${bytesMax} bytes; accepted are at most ${bytesMax} on this route.`,
      })
    : new GatewayError('invalid_json', { detail: 'The body ended before it was complete; accepted is all of it.' });
