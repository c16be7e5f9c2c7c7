import { chatBounds } from '../limits.ts';
import { jsonBounds, scanJson } from './scan-json.ts';

/** What is wrong with JSON inside a text: it is none, it cannot be taken apart and written again, or there is too much of it. */
export type InnerFault = 'no_json' | 'too_deep' | 'too_many';

/** JSON that a client wrote inside texts of a body, which is bounded as the body around it is: all of it together. */
export interface InnerJson {
  readonly nodesMax: number;
  /** What is wrong with one more text; null where nothing is. */
  readonly faultOf: (text: string) => InnerFault | null;
}

/** `nodesMax` values and field names may be in all the texts of one body. */
export const createInnerJson = (nodesMax: number): InnerJson => {
  let left = nodesMax;
  return {
    nodesMax,
    faultOf: (text) => {
      const bounds = { ...jsonBounds(nodesMax), nodesMax: left, depthMax: chatBounds.jsonDepthMax };
      const scanned = scanJson(Buffer.from(text), bounds);
      if (scanned === 'depth') return 'too_deep';
      if (typeof scanned === 'string') return 'too_many';
      left -= scanned.nodes;
      try {
        JSON.parse(text);
        return null;
      } catch {
        return 'no_json';
      }
    },
  };
};
