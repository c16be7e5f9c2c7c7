export { createConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts';
export {
  exchange,
  type OnChunk,
  type WireExchange,
  type WireHeaders,
  type WireOutcome,
  type WireRequest,
} from './exchange.ts';
export { formBody, type FormBody, type FormField } from './form-body.ts';
export { blobBytesOf, checkBlobBytes, inlineTexts } from './inline-texts.ts';
export { base64Of, encodeJson, type Base64Text } from './json-with-blobs.ts';
export { waitToRepeat, type FailedAttempt, type RetryClock, type RetryLimits } from './retry-wait.ts';
export { attemptOfUnanswered, failureOfUnanswered, type UnansweredCall } from './unanswered-call.ts';
export { encodeSegments, jsonBody, type Segment, type WireBody } from './wire-body.ts';
