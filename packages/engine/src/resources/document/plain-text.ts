import type { ReadDocument } from './read-document.ts';

const unreadable: ReadDocument = { kind: 'refused', reason: 'unreadable' };

/** The encoding that a byte order mark names; without one it is UTF-8. */
const encodingOf = ([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' => {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : 'utf-8';
};

/** Reads a plain text as one page without a number. */
export const readPlainText = async (
  read: () => AsyncIterable<Uint8Array>,
  charactersMax: number,
): Promise<ReadDocument> => {
  let decoder: InstanceType<typeof TextDecoder> | null = null;
  let text = '';
  try {
    for await (const chunk of read()) {
      if (chunk.length === 0) continue;
      decoder ??= new TextDecoder(encodingOf(chunk), { fatal: true });
      text += decoder.decode(chunk, { stream: true });
      if (text.length > charactersMax) return { kind: 'refused', reason: 'too_long' };
    }
    text += decoder?.decode() ?? '';
  } catch (cause) {
    // Bytes that are no text; whatever else went wrong is not the document's.
    if (cause instanceof TypeError && 'code' in cause && cause.code === 'ERR_ENCODING_INVALID_ENCODED_DATA')
      return unreadable;
    throw cause;
  }
  return { kind: 'read', pages: [{ number: null, text }] };
};
