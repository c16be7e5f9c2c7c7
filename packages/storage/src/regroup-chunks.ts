/**
 * The same bytes in parts of one size, the last one shorter and never empty. A part is its taker's to keep. One buffer is filled
 * for each, so that nothing is in memory twice.
 */
export async function* regroupChunks(
  chunks: AsyncIterable<Uint8Array>,
  partBytes: number,
): AsyncGenerator<Uint8Array, void> {
  let part = Buffer.alloc(0);
  let filled = 0;
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      if (filled === 0) part = Buffer.allocUnsafeSlow(partBytes);
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
