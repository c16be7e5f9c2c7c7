import { createEventDecoder } from './event-decoder.ts';
import type { ServerEvent } from './server-event.ts';

/**
 * The events of a byte stream, one at a time as they complete; an event that the stream cuts off is not delivered.
 * Leaving the loop stops the stream. Throws `EventTooLargeError` after the events before it, and whatever the stream throws.
 */
export async function* readEvents(
  stream: AsyncIterable<Uint8Array>,
  { eventBytesMax }: { readonly eventBytesMax: number },
): AsyncGenerator<ServerEvent, void, undefined> {
  const decoder = createEventDecoder({ eventBytesMax });
  for await (const chunk of stream) yield* decoder.push(chunk);
  decoder.end();
}
