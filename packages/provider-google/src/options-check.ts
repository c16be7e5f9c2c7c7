import {
  callable,
  cameIn,
  checkOf,
  credential,
  faultAt,
  foreign,
  oneOf,
  optionsCheck,
  required,
  table,
  text,
  timerMs,
  webAddress,
  whole,
} from '@tollgate/contract/configuration';
import type { GoogleProviderOptions, LimitOptions, RetryOptions } from './upstream.ts';

/** The upstream takes pieces of an upload in multiples of this. */
const chunkBytes = 262_144;

const uploadChunk = checkOf<number>((value, place) =>
  typeof value === 'number' && Number.isInteger(value) && value > 0 && value % chunkBytes === 0
    ? []
    : faultAt(place, cameIn(value), `is a multiple of ${chunkBytes} bytes`),
);

const limits = optionsCheck<LimitOptions>({
  timeoutMs: timerMs({ min: 1 }),
  streamTimeoutMs: timerMs({ min: 1 }),
  responseBytesMax: whole({ min: 1 }),
  eventBytesMax: whole({ min: 1 }),
  inlineBytesMax: whole(),
  uploadChunkBytes: uploadChunk,
  fileReadyMs: timerMs(),
  modelRoundsMax: whole({ min: 1 }),
});

/** What each option may be: `GoogleProviderOptions` says what it does. */
export const googleOptionsCheck = optionsCheck<GoogleProviderOptions>({
  apiKey: required(credential()),
  baseUrl: webAddress(),
  apiVersion: text(),
  name: text(),
  headers: table(credential({ charsMin: 0 })),
  connections: whole({ min: 1 }),
  limits,
  retry: optionsCheck<RetryOptions>({ attemptsMax: whole({ min: 1 }), waitMsMax: timerMs() }),
  imageMeter: oneOf('output_image_tokens', 'images'),
  countingModel: text(),
  modelTraits: callable(),
  dispatcher: foreign(),
  now: callable(),
  sleep: callable(),
  newCallId: callable(),
});
