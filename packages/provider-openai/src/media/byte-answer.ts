import type { AnswerStream } from '../answer-stream.ts';

/** Gathers an answer of bytes, whose whole is `{ base64 }`. Its size is bounded by the exchange. */
export const createByteAnswer = (): AnswerStream => {
  const chunks: Uint8Array[] = [];
  return {
    // A chunk is good until it is taken.
    take: (chunk) => void chunks.push(Uint8Array.from(chunk)),
    // Only the end of the connection says that the bytes are whole.
    ended: () => false,
    conclude: () => ({ kind: 'whole', body: { base64: Buffer.concat(chunks).toString('base64') } }),
    answerId: () => undefined,
    usageAtLeast: () => [],
  };
};
