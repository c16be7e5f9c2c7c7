import { checkFileSize } from '@tollgate/contract';

// files:upload:max-file
/** Passes bytes on until there are more than a file may hold. */
export async function* boundedBytes(chunks: AsyncIterable<Uint8Array>, before = 0): AsyncGenerator<Uint8Array, void> {
  let size = before;
  for await (const chunk of chunks) {
    size += chunk.length;
    checkFileSize(size);
    yield chunk;
  }
}
