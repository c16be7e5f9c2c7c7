import { endedCall, type WrittenCall } from '../../call-order.ts';
import { divideParts, parseDivision, type CallSlice } from '../../generate/stream-division.ts';
import type { SettledAnswer, StreamWriter } from './generation-dialect.ts';
import { isKeptPart, type AnswerPart } from './kept-answer.ts';

type Event = readonly (AnswerPart | CallSlice)[];

const isSlice = (value: object): value is CallSlice => 'call' in value && 'begins' in value;

const isOfEvent = (value: object): value is AnswerPart | CallSlice => isSlice(value) || isKeptPart(value);

/**
 * The events of a stream as they were sent where that was noted; else each part is one. A dialect of a host that no longer
 * writes calls in steps writes them whole.
 */
const eventsOf = (writer: StreamWriter, { answer }: SettledAnswer, division: string | null): readonly Event[] => {
  const noted = division === null ? null : parseDivision(division);
  const divided = noted === null ? null : divideParts(noted, answer.parts);
  const isWritable = writer.callStep !== undefined || divided?.flat().some(isSlice) !== true;
  return (isWritable ? divided : null)?.map((parts) => parts.filter(isOfEvent)) ?? answer.parts.map((part) => [part]);
};

/** Writes events again. A call that was sent in steps ends where something else follows. */
const createRewriter = (writer: StreamWriter) => {
  let open: WrittenCall | null = null;
  let sentChars = 0;
  const endCall = (): string => {
    const text = open === null ? '' : (writer.callStep?.({ kind: 'ended', call: endedCall(open, sentChars) }) ?? '');
    open = null;
    sentChars = 0;
    return text;
  };
  const writeSlice = ({ call, begins, text }: CallSlice): string => {
    sentChars += text.length;
    if (!begins) return writer.callStep?.({ kind: 'arguments', text }) ?? '';
    const ended = endCall();
    open = call;
    return ended + (writer.callStep?.({ kind: 'begun', id: call.id, name: call.name }) ?? '');
  };
  return {
    write: (event: Event): string => {
      const [first] = event;
      // A slice is an event of its own.
      if (first !== undefined && isSlice(first)) return writeSlice(first);
      return endCall() + writer.piece(event.filter(isKeptPart));
    },
    endCall,
  };
};

/** All events of a stream once more. */
export const replayStream = (writer: StreamWriter, settled: SettledAnswer, division: string | null): string => {
  const events = eventsOf(writer, settled, division);
  const { write, endCall } = createRewriter(writer);
  return events.map(write).join('') + endCall() + writer.end(settled);
};
