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
import { toAnswerParts, type SealState } from './kept-answer.ts';

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

/** A part that a dialect is sent is written, whatever it holds. */
const everyPart = (): boolean => true;

interface Sending {
  readonly writer: StreamWriter;
  readonly division: DivisionRecorder;
  readonly seal: SealState;
  readonly send: (text: string) => void;
  readonly onBrokenCall: () => void;
  readonly onStart: StreamSink['onStart'];
}

/** Has each piece noted and written. */
const sinkTo = ({ writer, division, seal, send, onBrokenCall, onStart }: Sending): StreamSink => ({
  onStart,
  onParts: (parts) => {
    const sent = toAnswerParts(parts, seal);
    if (sent.length === 0) return;
    division.add(sent);
    send(writer.piece(sent));
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
  const division = createDivisionRecorder(divisionBytesMax, everyPart);
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
      return sinkTo({ writer, division, seal, send, onBrokenCall, onStart: sentSoFar.onStart });
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
