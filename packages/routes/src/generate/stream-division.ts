import { isRecord } from '@tollgate/contract';
import type { Part } from '@tollgate/provider';
import type { CallStep, WrittenCall } from '../call-order.ts';
import { toWireParts } from './to-wire-parts.ts';

/**
 * How an answer was divided into the events of its stream. Texts that follow each other are one part of the stored answer, so
 * each text of an event is a slice of a part. Of each part of an event one number is kept: `n` continues the text of the part
 * before with n characters, `-n - 2` begins the next part with its first n characters, -1 is the next part whole. The text of a
 * call is its arguments. An event of one part is its number, any other a list. `cited` has the texts that brought citations: the
 * place of the text among all parts of the events, and how many it brought.
 */
export interface Division {
  /** Whether the answer ends as one to go on from. */
  readonly usable: boolean;
  readonly events: readonly (number | readonly number[])[];
  readonly cited?: readonly (readonly [place: number, citations: number])[] | undefined;
}

const wholePart = -1;
const beginning = (characters: number): number => -characters - 2;

/** Notes how a stream is divided while it is sent. */
export interface DivisionRecorder {
  /** Takes the parts of one event, or of none where nothing of them could be written. */
  add(parts: readonly Part[]): void;
  /** Takes a step of a call that is sent while the model writes it. */
  addCallStep(step: CallStep): void;
  /** As it is stored; null where nothing was sent in events, or it would have more bytes than allowed. */
  encode(usable: boolean): string | null;
}

/** Brackets and the name of a member, which stand around the events. */
const framingBytes = 32;

/** A call whose arguments could not be read is left out of the events, as is a text that only cites. */
const isWritable = (part: Part): boolean => toWireParts([part]).parts.length > 0;

const kindOf = ({ thought }: Extract<Part, { readonly kind: 'text' }>): 'answer' | 'thought' =>
  thought === true ? 'thought' : 'answer';

const citationsIn = (part: Part): number => (part.kind === 'text' ? (part.annotations?.length ?? 0) : 0);

const encodeDivision = ({ usable, events, cited = [] }: Division): string =>
  JSON.stringify({ usable, events, cited: cited.length === 0 ? undefined : cited });

/** Numbers parts in their order. */
const createNumbering = () => {
  /** The kind of text that the next text goes on with; null where none. */
  let open: 'answer' | 'thought' | null = null;
  return {
    numberOf: (part: Part): number => {
      if (part.kind !== 'text' || part.context !== undefined) {
        open = null;
        return wholePart;
      }
      const kind = kindOf(part);
      const continues = open === kind;
      open = kind;
      return continues ? part.text.length : beginning(part.text.length);
    },
    /** No text goes on after something else. */
    interrupt: (): void => {
      open = null;
    },
    /** A part that is not written has no number; a text still ends a thought before it. */
    skip: (part: Part): void => {
      if (part.kind !== 'text' || open !== kindOf(part)) open = null;
    },
  };
};

/** What is kept of each event, up to a bound on its bytes; then nothing is. */
const createEventList = (bytesMax: number) => {
  const events: (number | readonly number[])[] = [];
  const cited: [number, number][] = [];
  let bytes = framingBytes;
  return {
    events,
    cited,
    isFull: () => bytes > bytesMax,
    cite: (place: number, count: number): void => {
      if (count === 0) return;
      cited.push([place, count]);
      bytes += JSON.stringify([place, count]).length + 1;
    },
    note: (event: number | readonly number[]): void => {
      if (typeof event === 'number' || event.length > 0) events.push(event);
      bytes += JSON.stringify(event).length + 1;
      if (bytes > bytesMax) events.length = 0;
    },
  };
};

export const createDivisionRecorder = (
  bytesMax: number,
  isWritten: (part: Part) => boolean = isWritable,
): DivisionRecorder => {
  const { events, cited, isFull, cite, note } = createEventList(bytesMax);
  const { numberOf, skip, interrupt } = createNumbering();
  let places = 0;
  const write = (part: Part): number => {
    cite(places, citationsIn(part));
    places += 1;
    return numberOf(part);
  };
  const numbersOf = (parts: readonly Part[]): readonly number[] =>
    parts.flatMap((part) => {
      if (isWritten(part)) return [write(part)];
      skip(part);
      return [];
    });
  return {
    addCallStep: (step) => {
      interrupt();
      // What follows shows where a call ends.
      if (isFull() || step.kind === 'ended') return;
      places += 1;
      note(step.kind === 'begun' ? beginning(0) : step.text.length);
    },
    add: (parts) => {
      if (isFull()) return;
      const [only] = parts;
      // Nearly every event is one text.
      const isPlain = parts.length === 1 && only?.kind === 'text' && only.annotations === undefined;
      const numbers = isPlain ? [write(only)] : numbersOf(parts);
      const [first = 0] = numbers;
      note(numbers.length === 1 ? first : numbers);
    },
    encode: (usable) => (events.length === 0 ? null : encodeDivision({ usable, events, cited })),
  };
};

const isCited = (entry: unknown): entry is readonly [number, number] =>
  Array.isArray(entry) && entry.length === 2 && entry.every(Number.isInteger);

const isEvent = (event: unknown): event is number | readonly number[] =>
  Number.isInteger(event) || (Array.isArray(event) && event.every(Number.isInteger));

/** Reads what was stored; null where it is of another form. */
export const parseDivision = (text: string): Division | null => {
  const value: unknown = JSON.parse(text);
  if (!isRecord(value) || !Array.isArray(value['events'])) return null;
  const events: readonly unknown[] = value['events'];
  const cited: readonly unknown[] = Array.isArray(value['cited']) ? value['cited'] : [];
  return events.every(isEvent) ? { usable: value['usable'] === true, events, cited: cited.filter(isCited) } : null;
};

/** What an event holds of a call that was sent in steps: that it begins, or some of its arguments. */
export interface CallSlice {
  readonly call: WrittenCall;
  readonly begins: boolean;
  readonly text: string;
}

const isWrittenCall = (part: object): part is WrittenCall => 'arguments' in part && typeof part.arguments === 'string';

/** Cuts the parts of an answer into those of its events. */
const createCutter = (parts: readonly object[], cited: ReadonlyMap<number, number>) => {
  let at = -1;
  let place = -1;
  let used = 0;
  let usedCitations = 0;
  const citationsOf = (part: object): object => {
    if (!('annotations' in part) || !Array.isArray(part.annotations)) return {};
    const from = usedCitations;
    usedCitations += cited.get(place) ?? 0;
    return { annotations: usedCitations === from ? undefined : part.annotations.slice(from, usedCitations) };
  };
  const sliceCall = (call: WrittenCall, begins: boolean, characters: number): CallSlice | null => {
    const from = used;
    used += characters;
    return used > call.arguments.length ? null : { call, begins, text: call.arguments.slice(from, used) };
  };
  const slice = (begins: boolean, characters: number): object | null => {
    const part = parts[at];
    if (part !== undefined && isWrittenCall(part)) return sliceCall(part, begins, characters);
    if (part === undefined || !('text' in part) || typeof part.text !== 'string') return null;
    const from = used;
    used += characters;
    return used > part.text.length ? null : { ...part, text: part.text.slice(from, used), ...citationsOf(part) };
  };
  return {
    cut: (number: number): object | null => {
      place += 1;
      if (number >= 0) return slice(false, number);
      at += 1;
      used = 0;
      usedCitations = 0;
      return number === wholePart ? (parts[at] ?? null) : slice(true, beginning(number));
    },
    isDone: (): boolean => at === parts.length - 1,
  };
};

/** The parts of each event of a stream, as they were sent, from those of its answer; null where the two do not fit together. */
export const divideParts = (
  { events, cited }: Division,
  parts: readonly object[],
): readonly (readonly object[])[] | null => {
  const { cut, isDone } = createCutter(parts, new Map(cited));
  const divided: object[][] = [];
  for (const event of events) {
    const cuts = (typeof event === 'number' ? [event] : event).map(cut);
    const whole = cuts.filter((part) => part !== null);
    if (whole.length < cuts.length) return null;
    divided.push(whole);
  }
  return isDone() ? divided : null;
};
