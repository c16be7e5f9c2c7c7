import { bodyTurnBounds } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { BodyTurn } from './body-turns.ts';
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

const { largeBytesMin } = bodyTurnBounds;

/** Gives the first bytes at once, and waits for a turn before each of the other pieces. */
export async function* chunksInTurns(
  chunks: AsyncIterable<Uint8Array>,
  turn: BodyTurn,
): AsyncGenerator<Uint8Array, void> {
  let size = 0;
  for await (const chunk of chunks)
    for (let at = 0; at < chunk.byteLength; at += largeBytesMin) {
      const piece = chunk.subarray(at, at + largeBytesMin);
      size += piece.byteLength;
      if (size > largeBytesMin) await turn();
      yield piece;
    }
}

/** The same request, of which a large body is read and checked in turns with other large ones. */
const withTurns = (request: GatewayRequest, turn: BodyTurn): GatewayRequest => ({
  ...request,
  turn,
  readBodyChunks: (bytesMax) => chunksInTurns(request.readBodyChunks(bytesMax), turn),
});

type Answering = GatewayResponse | Promise<GatewayResponse>;

/** Calls once what was begun has ended, with fewer promises than `finally` makes. */
const afterwards = (answering: Answering, leave: () => void): Answering => {
  if (answering instanceof Promise)
    return answering.then(
      (answer) => {
        leave();
        return answer;
      },
      (cause: unknown) => {
        leave();
        throw cause;
      },
    );
  leave();
  return answering;
};

/** Runs a handler on a request whose large body takes turns. */
export const inTurns = (
  { bodyTurns }: Pick<Service, 'bodyTurns'>,
  { projectId }: Pick<Access, 'projectId'>,
  request: GatewayRequest,
  answer: (request: GatewayRequest) => Answering,
): Answering => {
  const { turn, leave } = bodyTurns.enter(projectId);
  try {
    return afterwards(answer(withTurns(request, turn)), leave);
  } catch (cause) {
    leave();
    throw cause;
  }
};
