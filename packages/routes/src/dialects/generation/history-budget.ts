import { bodyTurnBounds, GatewayError, jsonBreachError, limits, scanJson, type JsonBounds } from '@tollgate/contract';
import type { BodyTurn } from '../../body-turns.ts';

/**
 * What earlier answers add to one request: as much as a body may hold, of all of them together. The requests of a batch have one
 * budget, as they come in one body.
 */
export interface HistoryBudget {
  /** Takes what an answer adds, as JSON. A long one waits for a turn, as a large body does. Rejects where it is too much. */
  readonly take: (body: string) => Promise<void>;
}

const bytesMax = limits.bodyBytesMax.generate;

export const createHistoryBudget = (bounds: JsonBounds, turn: BodyTurn | undefined): HistoryBudget => {
  let [bytes, nodes] = [0, 0];
  return {
    take: async (body) => {
      const text = Buffer.from(body);
      bytes += text.length;
      if (bytes > bytesMax)
        throw new GatewayError('input_limit', {
          detail: `The earlier responses that the request names have more than ${bytesMax} bytes; accepted are at most as many as a body has.`,
        });
      if (turn !== undefined && text.length > bodyTurnBounds.largeBytesMin) await turn();
      const scanned = scanJson(text, bounds);
      if (typeof scanned === 'string') throw jsonBreachError(scanned, bounds);
      nodes += scanned.nodes;
      if (nodes > bounds.nodesMax) throw jsonBreachError('nodes', bounds);
    },
  };
};
