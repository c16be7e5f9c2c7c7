import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../pending-blobs.ts';
import { storedBlobKeys, type StoredEmbedding, type StoredGeneration } from '../stored-call.ts';

/** One item as it is kept until it is handed over. */
export type StoredItem =
  | {
      readonly kind: 'generation';
      readonly call: StoredGeneration;
      /** The cache that it names, or null. */
      readonly cache: string | null;
    }
  | { readonly kind: 'embedding'; readonly call: StoredEmbedding };

/** Where the items lie: one blob, each item a piece of it, so that whoever carries one out reads no other. */
export interface BatchInput {
  readonly blobKey: string;
  /** Where the piece of each item ends, in the order sent. */
  readonly ends: readonly number[];
  /** Large media that the items name. */
  readonly mediaKeys: readonly string[];
}

/** How far a batch is, beside the states of its items. */
export interface BatchWork {
  readonly input: BatchInput;
  /** How often items that could not be begun were put off. */
  readonly round: number;
  readonly upstream:
    /** Nothing was handed over as a whole. */
    | null
    /** It may have been: who finds this after a death cannot know. */
    | { readonly phase: 'handed' }
    | {
        readonly phase: 'running';
        /** By which the upstream is asked for it. */
        readonly job: string;
        readonly startedAtMs: number;
        readonly polls: number;
        /** Whether the upstream was told to stop. */
        readonly told: boolean;
      };
}

/** Written by nobody else than this kind. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const batchWork = (work: unknown): BatchWork | null => work as BatchWork | null;

const partsOf = (item: StoredItem) => {
  if (item.kind === 'generation') return item.call.contents.flatMap(({ parts }) => parts);
  return item.call.input.kind === 'texts' ? [] : item.call.input.parts;
};

/** Blobs that a batch needs until it has ended. */
export const inputBlobKeys = ({ blobKey, mediaKeys }: BatchInput): readonly string[] => [blobKey, ...mediaKeys];

/** Puts the items aside as a blob that nobody owns yet; the step that opens the batch guards it. */
export const storeBatchInput = async (engine: Engine, items: readonly StoredItem[]): Promise<BatchInput> => {
  const blobKey = `inputs/${engine.newId()}`;
  const ends: number[] = [];
  async function* pieces(): AsyncGenerator<Uint8Array, void> {
    let end = 0;
    for (const item of items) {
      const piece = Buffer.from(JSON.stringify(item));
      end += piece.length;
      ends.push(end);
      yield piece;
    }
  }
  await storePendingBlob(engine, blobKey, pieces());
  return { blobKey, ends, mediaKeys: [...new Set(items.flatMap((item) => storedBlobKeys(partsOf(item))))] };
};

/** Reads one item back; null where the blob is gone, which it is when its time has passed. */
export const readBatchItem = async (
  { storage }: Engine,
  { blobKey, ends }: BatchInput,
  place: number,
): Promise<StoredItem | null> => {
  const fromByte = ends[place - 1] ?? 0;
  const toByte = ends[place] ?? fromByte;
  const blob = await storage.blobs.getStream(blobKey, { fromByte, toByte });
  if (blob === undefined) return null;
  const chunks: Uint8Array[] = [];
  for await (const chunk of blob.chunks) chunks.push(chunk);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `storeBatchInput` alone
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as StoredItem;
};
