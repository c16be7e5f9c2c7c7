import { isNarrowBase64 } from '../media/base64.ts';
import { hasBytesAt } from '../media/has-bytes-at.ts';
import type { JsonRecord } from '../json/json-record.ts';

/** How much audio a message brings. */
export interface LiveAudio {
  readonly base64Chars: number;
  /** Samples a second, as the message names them; null where it does not. */
  readonly rate: number | null;
}

const start = Buffer.from('{"realtimeInput":{"audio":{"data":"');
const type = Buffer.from('","mimeType":"audio/pcm');
const mimeTypeFrom = type.indexOf('audio');
const rateName = Buffer.from('rate=');
const end = Buffer.from('"}}}');
const quote = 0x22;
const semicolon = 0x3b;
const space = 0x20;
const digitZero = 0x30;
const rateDigitsMin = 4;
const rateDigitsMax = 6;

/** A rate in digits; undefined where it is none. */
const rateIn = (bytes: Buffer, from: number, to: number): number | undefined => {
  if (to - from < rateDigitsMin || to - from > rateDigitsMax) return undefined;
  let rate = 0;
  for (let at = from; at < to; at += 1) {
    const digit = (bytes[at] ?? 0) - digitZero;
    if (digit < 0 || digit > 9) return undefined;
    rate = rate * 10 + digit;
  }
  return rate;
};

/** The rate behind a type, null where there is none; undefined where the message goes on in another way. */
const readRate = (utf8: Buffer, from: number): number | null | undefined => {
  const last = utf8.length - end.length;
  if (!hasBytesAt(utf8, last, end)) return undefined;
  if (from === last) return null;
  if (utf8[from] !== semicolon) return undefined;
  const name = from + (utf8[from + 1] === space ? 2 : 1);
  return hasBytesAt(utf8, name, rateName) ? rateIn(utf8, name + rateName.length, last) : undefined;
};

/** A piece of audio as its client wrote it; the rest is made where it is asked for, which the passing on of bytes does not. */
export class AudioMessage {
  readonly utf8: Buffer;
  readonly audio: LiveAudio;

  constructor(utf8: Buffer, audio: LiveAudio) {
    this.utf8 = utf8;
    this.audio = audio;
  }

  /** Base64 and the rest of it have no character that JSON would write in another way, nor a wide one. */
  get text(): string {
    return this.utf8.toString('latin1');
  }

  get body(): JsonRecord {
    const data = this.utf8.toString('latin1', start.length, start.length + this.audio.base64Chars);
    const mimeType = this.utf8.toString(
      'latin1',
      start.length + data.length + mimeTypeFrom,
      this.utf8.length - end.length,
    );
    return { realtimeInput: { audio: { data, mimeType } } };
  }
}

/**
 * Nearly every message of a session is a piece of audio, written as every client writes it: its bytes are read without parsing,
 * and passed on as they are, to the same effect. Null for every other message.
 */
export const readAudio = (utf8: Buffer): AudioMessage | null => {
  if (!hasBytesAt(utf8, 0, start)) return null;
  const audioEnd = utf8.indexOf(quote, start.length);
  if (audioEnd === -1 || !hasBytesAt(utf8, audioEnd, type)) return null;
  const rate = readRate(utf8, audioEnd + type.length);
  if (rate === undefined) return null;
  const base64 = utf8.toString('latin1', start.length, audioEnd);
  return isNarrowBase64(base64) ? new AudioMessage(utf8, { base64Chars: base64.length, rate }) : null;
};
