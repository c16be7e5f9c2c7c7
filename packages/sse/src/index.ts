export { doneEvent, encodeEvent, type EventFields } from './encode-event.ts';
export { createEventDecoder, type DecoderEnd, type EventDecoder } from './event-decoder.ts';
export { eventStream, type EventStreamOptions } from './event-stream.ts';
export { EventTooLargeError } from './event-too-large-error.ts';
export { readEvents } from './read-events.ts';
export type { ServerEvent } from './server-event.ts';
