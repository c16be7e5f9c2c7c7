import { jsonBounds, scanJson } from '@tollgate/contract';

/** As deep as the contract takes JSON anywhere. A few thousand levels parse, but cannot be written again. */
const depthMax = 100;
/** Values and field names of one text at the most, of which a tenth may be names that differ: counted as those of a body. */
const nodesMax = 100_000;

const bounds = { ...jsonBounds(nodesMax), depthMax };

/**
 * Parses JSON that a client wrote inside a text: a `context`, the arguments of a call, the answer of a function. Undefined
 * where it is no JSON, holds more than 100,000 values and field names or more than 10,000 names that differ, or is nested so deeply
 * that writing it into a request might throw.
 */
export const parseClientJson = (text: string): unknown => {
  if (typeof scanJson(Buffer.from(text), bounds) === 'string') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};
