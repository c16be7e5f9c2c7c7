/** An event grew past the decoder's limit. Tell it by `code`. */
export class EventTooLargeError extends Error {
  readonly code = 'event_too_large';

  constructor(eventBytesMax: number) {
    super(`an event is larger than ${eventBytesMax} bytes`);
    this.name = 'EventTooLargeError';
  }
}
