import type { Content } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';
import { fromStoredContents, goneBefore, storedBlobKeys, type CallOwner, type StoredContent } from '../stored-call.ts';
import type { CacheInput } from './cache-work.ts';

async function* oneChunk(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

/** Puts contents aside as a blob without an owner; the step that opens the cache guards it. */
export const storeCacheInput = async (engine: Engine, contents: readonly StoredContent[]): Promise<CacheInput> => {
  const blobKey = `inputs/${engine.newId()}`;
  await storePendingBlob(engine, blobKey, oneChunk(JSON.stringify(contents)));
  return { blobKey, mediaKeys: [...new Set(storedBlobKeys(contents.flatMap(({ parts }) => parts)))] };
};

/** Reads contents back as a provider takes them. Throws `NotExecuted` where they are gone. */
export const readCacheInput = async (
  engine: Engine,
  owner: CallOwner,
  { blobKey }: CacheInput,
): Promise<readonly Content[]> => {
  const bytes = await engine.storage.blobs.get(blobKey);
  if (bytes === undefined) throw goneBefore('what the cache was sent');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `storeCacheInput` alone
  const stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as readonly StoredContent[];
  return fromStoredContents(engine, owner, stored);
};
