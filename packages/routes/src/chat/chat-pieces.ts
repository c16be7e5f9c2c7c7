import type { PlannedAnswer } from '@tollgate/engine';
import type { Generation } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import type { CallStep, StreamSink } from '../call-order.ts';
import { pushPiece, type EventChannel } from '../event-channel.ts';
import type { Service } from '../service.ts';
import { createSentSoFar } from '../sent-so-far.ts';
import { divisionBytesMax, openPieces } from '../stream-in-time.ts';
import { callPiece, createChatDivision, pieceOf, type ChatPiece } from './chat-division.ts';
import { createChunkEncoder } from './encode-chat-stream.ts';

/** The chunks of one chat on their way to its client. */
export interface ChatPieces {
  readonly channel: EventChannel;
  /** Resolves with the operation's id when the first chunk is in the channel. */
  readonly begun: Promise<string>;
  /** Takes the parts of the operation as the model writes them. */
  readonly sinkOf: (operation: Pick<OperationRecord, 'id' | 'createdAtMs' | 'model'>) => StreamSink;
  /** Characters of content in the chunks so far. */
  readonly sentChars: () => number;
  /** Whether a chunk holds arguments that the model did not write. */
  readonly isBroken: () => boolean;
  /** The answer with its division, for a replay. */
  /** What was sent, as an answer that was cut off; null where nothing was. */
  readonly sent: () => Generation | null;
  readonly divided: (planned: PlannedAnswer) => PlannedAnswer;
}

/** What a step of a call adds to the message; null where that is nothing. */
const createStepReader = (): ((step: CallStep) => ChatPiece | null) => {
  let sent = 0;
  return (step) => {
    switch (step.kind) {
      case 'begun':
        sent = 0;
        return callPiece({ begins: { id: step.id, name: step.name }, text: '' });
      case 'arguments':
        sent += step.text.length;
        return callPiece({ begins: null, text: step.text });
      case 'ended': {
        const rest = step.call.arguments.slice(sent);
        return rest === '' ? null : callPiece({ begins: null, text: rest });
      }
    }
  };
};

export const createChatPieces = (service: Service, isOpenai: boolean): ChatPieces => {
  const channel = openPieces(service, { comments: true });
  const { promise: begun, resolve: begin } = Promise.withResolvers<string>();
  let sentChars = 0;
  let broken = false;
  const sentSoFar = createSentSoFar();
  const recorder = createChatDivision(divisionBytesMax);
  return {
    channel,
    begun,
    sinkOf: (operation) => {
      const encode = createChunkEncoder(operation);
      const send = (piece: ChatPiece | null): void => {
        if (piece === null) return;
        recorder.add(piece);
        sentChars += piece.content.length;
        pushPiece(channel, encode(piece));
        begin(operation.id);
      };
      const pieceOfStep = createStepReader();
      return {
        onStart: sentSoFar.onStart,
        onParts: (parts) => send(pieceOf(parts, isOpenai)),
        onCallStep: (step) => send(pieceOfStep(step)),
        onBrokenCall: () => {
          broken = true;
        },
      };
    },
    sentChars: () => sentChars,
    isBroken: () => broken,
    sent: sentSoFar.read,
    divided: (planned) => {
      const division = broken ? null : recorder.encode();
      return division === null ? planned : { ...planned, division };
    },
  };
};
