import type { OpenAnswer } from './open-answer.ts';

export interface ReadAnswer {
  readonly bytes: Uint8Array;
  /** False where the body was cut at the cap or broke off. */
  readonly isWhole: boolean;
}

/** Reads a body until its end or the cap, whichever comes first, and lets go of the connection. */
export const readAnswer = async (answer: OpenAnswer, bytesMax: number): Promise<ReadAnswer> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.chunks) {
    chunks.push(chunk);
    size += chunk.byteLength;
    if (size > bytesMax) break;
  }
  const isWhole = answer.isWhole() && size <= bytesMax;
  answer.close();
  return { bytes: Buffer.concat(chunks).subarray(0, bytesMax), isWhole };
};
