const quote = 0x22;
const backslash = 0x5c;
/** Texts are mostly short: only behind so many bytes is the end looked for by other means. */
const steppedBytesMax = 32;

/** Steps through a text up to a place: behind its quote, or the place reached where it goes on. */
const stepText = (chunk: Uint8Array, from: number, to: number): { readonly at: number; readonly ended: boolean } => {
  let at = from;
  while (at < to) {
    const byte = chunk[at];
    at += 1;
    if (byte === quote) return { at, ended: true };
    if (byte === backslash) at += 1;
  }
  return { at, ended: false };
};

/** Where in the chunk the text that goes on at `from` ends: behind its quote, or -1 where the chunk ends first. */
export const endOfText = (chunk: Uint8Array, from: number): number => {
  const stepped = stepText(chunk, from, Math.min(chunk.length, from + steppedBytesMax));
  if (stepped.ended) return stepped.at;
  const end = chunk.indexOf(quote, stepped.at);
  const last = end === -1 ? chunk.length : end;
  // What stands between is passed over at once, unless it holds a backslash.
  const slash = chunk.subarray(stepped.at, last).indexOf(backslash);
  if (slash === -1) return end === -1 ? -1 : end + 1;
  const rest = stepText(chunk, stepped.at + slash, chunk.length);
  return rest.ended ? rest.at : -1;
};

/** Whether the chunk, of which a text takes the rest, ends with a backslash that the next byte belongs to. */
export const endsEscaping = (chunk: Uint8Array, from: number): boolean => {
  let slashes = 0;
  while (chunk.length - slashes > from && chunk[chunk.length - 1 - slashes] === backslash) slashes += 1;
  return slashes % 2 === 1;
};
