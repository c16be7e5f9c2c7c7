import { GatewayError } from '@tollgate/contract';
import { createBase64Text } from './base64-text.ts';
import type { BodyCursor } from './body-cursor.ts';
import type { TextSpelling } from './text-spelling.ts';

/** Says that a text is no base64. */
export class NotBase64 extends Error {
  /** Bytes of the text that were taken from the body, from before the first one that may be at fault. */
  readonly held: Buffer;
  /** Whether this is all of the text so far. */
  readonly isWhole: boolean;

  constructor(held: Buffer, isWhole: boolean) {
    super('not base64');
    this.name = 'NotBase64';
    this.held = held;
    this.isWhole = isWhole;
  }
}

const quote = 0x22;
/** The last characters wait for what comes after them: five at the most, of six bytes each where all are escapes. */
const unsureBytesMax = 64;

/**
 * Decodes the text at the cursor and leaves the cursor at its closing quote. `begun` is what of the text was read before. Where it
 * throws `NotBase64`, the cursor stands at the first byte of the text that is not in `held`. `spelling` is given the whole text.
 */
export async function* decodeText(
  cursor: BodyCursor,
  begun: Buffer,
  spelling: TextSpelling,
): AsyncGenerator<Buffer, void> {
  const text = createBase64Text();
  let unsure: Buffer = Buffer.alloc(0);
  const decode = (raw: Buffer): Buffer => {
    spelling.add(raw);
    const bytes = text.push(raw);
    const all = Buffer.concat([
      unsure,
      raw.length > unsureBytesMax && bytes !== null ? raw.subarray(-unsureBytesMax) : raw,
    ]);
    if (bytes === null) throw new NotBase64(all, raw === begun);
    unsure = Buffer.from(all.subarray(-unsureBytesMax));
    return bytes;
  };
  yield decode(begun);
  for (;;) {
    const chunk = cursor.chunk();
    const end = chunk.indexOf(quote, cursor.at());
    const raw = chunk.subarray(cursor.at(), end === -1 ? chunk.length : end);
    cursor.moveTo(cursor.at() + raw.length);
    yield decode(raw);
    if (end !== -1) break;
    if (!(await cursor.advance())) throw new GatewayError('invalid_json');
  }
  const last = text.end();
  if (last === null) throw new NotBase64(unsure, false);
  yield last;
}
