import type { LiftedData } from '@tollgate/contract';
import { discardBlob, mediaBlobKey, readBlob, storePendingBlob } from '@tollgate/engine';
import type { Service } from '../service.ts';
import { createLiftedFacts } from './lifted-facts.ts';

/** Lifted data in the blob store. */
export type StoredData = LiftedData & { readonly key: string };

/** Where data lies in the blob store. Throws for data in memory, which no record can name. */
export const storedKeyOf = ({ key }: LiftedData): string => {
  if (key === null) throw new Error('the data was not stored');
  return key;
};

/** Stores bytes that come with a request, as a blob without an owner; their size and digest are computed on the way. */
export const liftBytes = async ({ engine }: Service, bytes: AsyncIterable<Uint8Array>): Promise<StoredData> => {
  const key = mediaBlobKey(engine.newId());
  const facts = createLiftedFacts();
  async function* looked(): AsyncGenerator<Uint8Array, void> {
    for await (const chunk of bytes) {
      facts.add(chunk);
      yield chunk;
    }
  }
  await storePendingBlob(engine, key, looked());
  return { kind: 'lifted', key, ...facts.end(), read: () => readBlob(engine, key) };
};

/** Deletes lifted bytes, except those that a step has taken as its own. Does not throw: what is left is the sweep's. */
export const dropLifted = async (
  { engine }: Service,
  keys: readonly string[],
  requestId: string | undefined,
): Promise<void> => {
  const drop = (key: string): Promise<void> => discardBlob(engine, key, { requestId });
  await Promise.all(keys.map(drop));
};
