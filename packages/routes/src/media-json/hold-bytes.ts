import type { LiftedData } from '@tollgate/contract';
import { createLiftedFacts } from './lifted-facts.ts';

async function* readEach(chunks: readonly Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  yield* chunks;
}

/** Holds bytes that come with a request in memory, while they are read: for small bodies. */
export const holdBytes = async (bytes: AsyncIterable<Uint8Array>): Promise<LiftedData> => {
  const facts = createLiftedFacts();
  const chunks: Uint8Array[] = [];
  for await (const chunk of bytes) {
    facts.add(chunk);
    chunks.push(Uint8Array.from(chunk));
  }
  return { kind: 'lifted', key: null, ...facts.end(), read: () => readEach(chunks) };
};
