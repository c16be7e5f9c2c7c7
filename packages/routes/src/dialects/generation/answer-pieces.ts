import type { GatewayError } from '@tollgate/contract';
import type { PlannedAnswer } from '@tollgate/engine';
import type { Generation } from '@tollgate/provider';
import type { StreamSink } from '../../call-order.ts';
import { createSentSoFar } from '../../sent-so-far.ts';
import { comment, pushPiece, type EventChannel } from '../../event-channel.ts';
import { createDivisionRecorder, type DivisionRecorder } from '../../generate/stream-division.ts';
import type { Service } from '../../service.ts';
import { divisionBytesMax, openPieces } from '../../stream-in-time.ts';
import type { AnswerHead, GenerationDialect, SettledAnswer, StreamWriter } from './generation-dialect.ts';
import { isAnswerPart, toAnswerParts, type AnswerForm, type SealState } from './kept-answer.ts';

/** The events of one answer on their way to its client. */
export interface AnswerPieces {
  readonly channel: EventChannel;
  /** Resolves with the operation's id when the first event is in the channel. */
  readonly begun: Promise<string>;
  readonly sinkOf: (head: AnswerHead) => StreamSink;
  /** Whether an event holds arguments that the model did not write. */
  readonly isBroken: () => boolean;
  /** What was sent, as an answer that was cut off; null where nothing was. */
  readonly sent: () => Generation | null;
  /** The events after settlement. */
  readonly end: (settled: SettledAnswer) => string;
  /** The last event of a stream that failed. */
  readonly fail: (error: GatewayError) => string;
  /** The answer with its division, for a replay. */
  readonly divided: (planned: PlannedAnswer) => PlannedAnswer;
}

interface Sending {
  readonly writer: StreamWriter;
  readonly division: DivisionRecorder;
  readonly form: AnswerForm;
  readonly send: (text: string) => void;
  readonly onBrokenCall: () => void;
  readonly onStart: StreamSink['onStart'];
}

/** Has each piece noted and written. */
const sinkTo = ({ writer, division, form, send, onBrokenCall, onStart }: Sending): StreamSink => ({
  onStart,
  onParts: (parts) => {
    // What is not sent is noted too: a text that follows it is a part of its own.
    division.add(parts);
    const sent = toAnswerParts(parts, form);
    if (sent.length > 0) send(writer.piece(sent));
  },
  onCallStep:
    writer.callStep &&
    ((step) => {
      division.addCallStep(step);
      send(writer.callStep?.(step) ?? '');
    }),
  onBrokenCall,
});

export const createAnswerPieces = (service: Service, dialect: GenerationDialect, seal: SealState): AnswerPieces => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<string>();
  const form = { seal, media: dialect.keepsMedia === true };
  const division = createDivisionRecorder(divisionBytesMax, (part) => isAnswerPart(part, form.media));
  let writer: StreamWriter | null = null;
  const channel = openPieces(service, {
    comments: dialect.framing?.comments ?? true,
    alive: () => writer?.alive?.() ?? comment,
  });
  let broken = false;
  const sentSoFar = createSentSoFar();
  const onBrokenCall = (): void => {
    broken = true;
  };
  return {
    channel,
    begun,
    sinkOf: (head) => {
      writer = dialect.openStream(head);
      const send = (text: string): void => {
        if (text === '') return;
        pushPiece(channel, text);
        begin(head.id);
      };
      return sinkTo({ writer, division, form, send, onBrokenCall, onStart: sentSoFar.onStart });
    },
    isBroken: () => broken,
    sent: sentSoFar.read,
    end: (settled) => writer?.end(settled) ?? '',
    fail: (error) => writer?.fail(error) ?? '',
    divided: (planned) => {
      const noted = broken ? null : division.encode(true);
      return noted === null ? planned : { ...planned, division: noted };
    },
  };
};
