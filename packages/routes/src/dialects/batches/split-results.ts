import type { BodyTurn } from '../../body-turns.ts';
import { chunksInTurns } from '../../with-turns.ts';

const [quote, backslash, open, close] = [0x22, 0x5c, 0x7b, 0x7d];

/** Where a reader stands in the text of results. */
interface Place {
  /** Braces that are open: results stand within one. */
  depth: number;
  inText: boolean;
  escaped: boolean;
}

/** Moves over one byte; returns whether it belongs to a result. */
const moveOver = (place: Place, byte: number): boolean => {
  if (place.inText) {
    if (place.escaped) place.escaped = false;
    else if (byte === backslash) place.escaped = true;
    else if (byte === quote) place.inText = false;
    return place.depth > 1;
  }
  if (byte === quote) place.inText = true;
  else if (byte === open) place.depth += 1;
  else if (byte === close) {
    place.depth -= 1;
    return place.depth >= 1;
  }
  return place.depth > 1;
};

/**
 * The results of a batch one by one, as texts, out of the chunks of the JSON that holds all of them: `{"results":[{…},{…}]}`. One
 * result is in memory at a time, whatever all of them have. They are split anew at each reading, so that long ones take turns as large
 * bodies do.
 */
export async function* splitResults(
  chunks: AsyncIterable<Uint8Array>,
  turn: BodyTurn | undefined,
): AsyncGenerator<string, void> {
  const place: Place = { depth: 0, inText: false, escaped: false };
  let pieces: Buffer[] = [];
  for await (const chunk of turn === undefined ? chunks : chunksInTurns(chunks, turn)) {
    let from = -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const belongs = moveOver(place, chunk[at] ?? 0);
      if (belongs && from === -1) from = at;
      if (!belongs || place.depth !== 1) continue;
      pieces.push(Buffer.from(chunk.subarray(from, at + 1)));
      yield Buffer.concat(pieces).toString('utf8');
      pieces = [];
      from = -1;
    }
    // Copied, as the memory of a chunk may be given back.
    if (from !== -1) pieces.push(Buffer.from(chunk.subarray(from)));
  }
}
