/**
 * The same bytes in parts of one size, the last one shorter and never empty. A part is good until the next one is asked for: all
 * are filled into one buffer, so that passing on a long stream leaves no garbage behind.
 */
export async function* regroupChunks(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array, void> {
  const part = Buffer.allocUnsafeSlow(partBytes);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const taken = Math.min(partBytes - filled, chunk.length - at);
      part.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled < partBytes) continue;
      yield part;
      filled = 0;
    }
  }
  if (filled > 0) yield part.subarray(0, filled);
}
