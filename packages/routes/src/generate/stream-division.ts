import { isRecord } from '@tollgate/contract';
import type { Part } from '@tollgate/provider';
import { toWireParts } from './to-wire-parts.ts';

/**
 * How an answer was divided into the events of its stream. Texts that follow each other are one part of the stored answer, so
 * each text of an event is a slice of a part. Of each part of an event one number is kept: `n` continues the text of the part
 * before with n characters, `-n - 2` begins the next part with its first n characters, -1 is the next part whole. An event of
 * one part is its number, any other a list.
 */
export interface Division {
  /** Whether the answer ends as one to go on from. */
  readonly usable: boolean;
  readonly events: readonly (number | readonly number[])[];
}

const wholePart = -1;
const beginning = (characters: number): number => -characters - 2;

/** Notes how a stream is divided while it is sent. */
export interface DivisionRecorder {
  /** Takes the parts of one event, or of none where nothing of them could be written. */
  add(parts: readonly Part[]): void;
  /** As it is stored; null where nothing was sent in events, or it would have more bytes than allowed. */
  encode(usable: boolean): string | null;
}

/** Brackets and the name of a member, which stand around the events. */
const framingBytes = 32;

/** A call whose arguments could not be read is left out of the events. */
const isWritable = (part: Part): boolean => !toWireParts([part]).malformed;

export const createDivisionRecorder = (
  bytesMax: number,
  isWritten: (part: Part) => boolean = isWritable,
): DivisionRecorder => {
  const events: (number | readonly number[])[] = [];
  let bytes = framingBytes;
  /** The kind of text that the next text goes on with; null where none. */
  let open: 'answer' | 'thought' | null = null;
  const numberOf = (part: Part): number => {
    if (part.kind !== 'text' || part.context !== undefined) {
      open = null;
      return wholePart;
    }
    const kind = part.thought === true ? 'thought' : 'answer';
    const continues = open === kind;
    open = kind;
    return continues ? part.text.length : beginning(part.text.length);
  };
  const numbersOf = (parts: readonly Part[]): readonly number[] =>
    parts.flatMap((part) => {
      const number = numberOf(part);
      return isWritten(part) ? [number] : [];
    });
  return {
    add: (parts) => {
      if (bytes > bytesMax) return;
      const [only] = parts;
      // Nearly every event is one text.
      const numbers = parts.length === 1 && only?.kind === 'text' ? [numberOf(only)] : numbersOf(parts);
      const [first = 0] = numbers;
      const event = numbers.length === 1 ? first : numbers;
      if (numbers.length > 0) events.push(event);
      bytes += JSON.stringify(event).length + 1;
      if (bytes > bytesMax) events.length = 0;
    },
    encode: (usable) => (events.length === 0 ? null : JSON.stringify({ usable, events } satisfies Division)),
  };
};

const isEvent = (event: unknown): event is number | readonly number[] =>
  Number.isInteger(event) || (Array.isArray(event) && event.every(Number.isInteger));

/** Reads what was stored; null where it is of another form. */
export const parseDivision = (text: string): Division | null => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || !Array.isArray(value['events'])) return null;
  const events: readonly unknown[] = value['events'];
  return events.every(isEvent) ? { usable: value['usable'] === true, events } : null;
};

/** Cuts the parts of an answer into those of its events. */
const createCutter = (parts: readonly object[]) => {
  let at = -1;
  let used = 0;
  const slice = (characters: number): object | null => {
    const part = parts[at];
    if (part === undefined || !('text' in part) || typeof part.text !== 'string') return null;
    const from = used;
    used += characters;
    return used > part.text.length ? null : { ...part, text: part.text.slice(from, used) };
  };
  return {
    cut: (number: number): object | null => {
      if (number >= 0) return slice(number);
      at += 1;
      used = 0;
      return number === wholePart ? (parts[at] ?? null) : slice(beginning(number));
    },
    isDone: (): boolean => at === parts.length - 1,
  };
};

/** The parts of each event of a stream, as they were sent, from those of its answer; null where the two do not fit together. */
export const divideParts = ({ events }: Division, parts: readonly object[]): readonly (readonly object[])[] | null => {
  const { cut, isDone } = createCutter(parts);
  const divided: object[][] = [];
  for (const event of events) {
    const cuts = (typeof event === 'number' ? [event] : event).map(cut);
    const whole = cuts.filter((part) => part !== null);
    if (whole.length < cuts.length) return null;
    divided.push(whole);
  }
  return isDone() ? divided : null;
};
