import type { GenerationCall } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';
import {
  fromStoredContents,
  goneBefore,
  storedBlobKeys,
  toStoredContents,
  type CallOwner,
  type StoredContent,
} from '../stored-call.ts';
import type { CacheInput } from './cache-work.ts';

/** What a cache keeps, as a provider takes it. */
export type CachedInput = Pick<GenerationCall, 'systemInstruction' | 'contents'>;

/** The same as JSON: an object where there is an instruction, else the turns alone. */
type StoredInput =
  | readonly StoredContent[]
  | { readonly systemInstruction: string; readonly contents: readonly StoredContent[] };

const toStored = (systemInstruction: string | null, contents: readonly StoredContent[]): StoredInput =>
  systemInstruction === null ? contents : { systemInstruction, contents };

async function* oneChunk(text: string): AsyncGenerator<Uint8Array, void> {
  yield Buffer.from(text);
}

/** Puts what a cache keeps aside as a blob without an owner; the step that opens the cache guards it. */
export const storeCacheInput = async (
  engine: Engine,
  { systemInstruction, contents: given }: CachedInput,
): Promise<CacheInput> => {
  const contents = toStoredContents(given);
  const blobKey = `inputs/${engine.newId()}`;
  await storePendingBlob(engine, blobKey, oneChunk(JSON.stringify(toStored(systemInstruction, contents))));
  return { blobKey, mediaKeys: [...new Set(storedBlobKeys(contents.flatMap(({ parts }) => parts)))] };
};

/** Reads it back as a provider takes them. Throws `NotExecuted` where it is gone. */
export const readCacheInput = async (
  engine: Engine,
  owner: CallOwner,
  { blobKey }: CacheInput,
): Promise<CachedInput> => {
  const bytes = await engine.storage.blobs.get(blobKey);
  if (bytes === undefined) throw goneBefore('what the cache was sent');
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `storeCacheInput` alone
  const stored = JSON.parse(Buffer.from(bytes).toString('utf8')) as StoredInput;
  const { systemInstruction, contents } = 'contents' in stored ? stored : { systemInstruction: null, contents: stored };
  return { systemInstruction, contents: await fromStoredContents(engine, owner, contents) };
};
