import { hasBytesAt } from '@tollgate/contract';
import { isAscii } from 'node:buffer';
import { asObject, type UntrustedObject } from '@tollgate/provider';

/**
 * The model's speech, which nearly every message of a session is: a message that differs from one that was read by its audio
 * alone means the same, and is not parsed to see it.
 */
export interface LiveSpeech {
  /** Whether a message is such a one. */
  readonly goesOn: (utf8: Buffer) => boolean;
  /** Remembers a message that was read, where it is speech and nothing else. */
  readonly learn: (message: UntrustedObject, utf8: Buffer) => void;
}

/** Within quotes these are escaped in JSON, so that this is a member's name and the beginning of its text. */
const audioBegin = /"data"\s*:\s*"/;
/** Where the audio begins at the latest. */
const headBytesMax = 512;
const tailBytesMax = 128;
const quote = 0x22;
const backslash = 0x5c;

/** What stands before the audio of a message, and behind it from the closing quote on. */
interface Frame {
  readonly head: Uint8Array;
  readonly tail: Uint8Array;
}

const isSpeechAlone = (message: UntrustedObject): boolean => {
  const content = asObject(message['serverContent']);
  return content?.['modelTurn'] !== undefined && Object.keys(content).length === 1 && Object.keys(message).length === 1;
};

const frameOf = (utf8: Buffer): Frame | null => {
  const begin = audioBegin.exec(utf8.toString('latin1', 0, headBytesMax));
  if (begin === null) return null;
  const from = begin.index + begin[0].length;
  const end = utf8.indexOf(quote, from);
  if (end === -1 || utf8.length - end > tailBytesMax) return null;
  // Copies: what was read lies in memory that is let go.
  return { head: Uint8Array.from(utf8.subarray(0, from)), tail: Uint8Array.from(utf8.subarray(end)) };
};

/** Whether a message has this frame around one text, whatever that says. */
const hasFrame = (utf8: Buffer, { head, tail }: Frame): boolean => {
  const end = utf8.length - tail.length;
  return (
    end >= head.length &&
    // The first quote ends the text, unless it is escaped.
    utf8.indexOf(quote, head.length) === end &&
    utf8[end - 1] !== backslash &&
    hasBytesAt(utf8, 0, head) &&
    hasBytesAt(utf8, end, tail) &&
    isAscii(utf8)
  );
};

export const createLiveSpeech = (): LiveSpeech => {
  let known: Frame | null = null;
  return {
    goesOn: (utf8) => known !== null && hasFrame(utf8, known),
    learn: (message, utf8) => {
      if (isSpeechAlone(message)) known = frameOf(utf8) ?? known;
    },
  };
};
