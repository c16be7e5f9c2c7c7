import type { PlannedAnswer } from '@tollgate/engine';
import type { OnParts } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import { pushPiece, type EventChannel } from '../event-channel.ts';
import type { Service } from '../service.ts';
import { divisionBytesMax, openPieces } from '../stream-in-time.ts';
import { createChatDivision, pieceOf } from './chat-division.ts';
import { createChunkEncoder } from './encode-chat-stream.ts';

/** The chunks of one chat on their way to its client. */
export interface ChatPieces {
  readonly channel: EventChannel;
  /** Resolves with the operation's id when the first chunk is in the channel. */
  readonly begun: Promise<string>;
  /** Takes the parts of the operation as the model writes them. */
  readonly onParts: (operation: Pick<OperationRecord, 'id' | 'createdAtMs' | 'model'>) => OnParts;
  /** Characters of content in the chunks so far. */
  readonly sentChars: () => number;
  /** The answer with its division, for a replay. */
  readonly divided: (planned: PlannedAnswer) => PlannedAnswer;
}

export const createChatPieces = (service: Service, isOpenai: boolean): ChatPieces => {
  const channel = openPieces(service, { comments: true });
  const { promise: begun, resolve: begin } = Promise.withResolvers<string>();
  let sentChars = 0;
  const recorder = createChatDivision(divisionBytesMax);
  return {
    channel,
    begun,
    onParts: (operation) => {
      const encode = createChunkEncoder(operation);
      return (parts) => {
        const piece = pieceOf(parts, isOpenai);
        if (piece === null) return;
        recorder.add(piece);
        sentChars += piece.content.length;
        pushPiece(channel, encode(piece));
        begin(operation.id);
      };
    },
    sentChars: () => sentChars,
    divided: (planned) => {
      const division = recorder.encode();
      return division === null ? planned : { ...planned, division };
    },
  };
};
