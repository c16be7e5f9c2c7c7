import { draftResource, type ResourceDraft } from '../../decisions/resource-draft.ts';
import { workReader } from '../../decisions/stored-values.ts';
import { withWire, type ResourceWire } from '../resource-wire.ts';
import type { Engine } from '../../engine.ts';
import { storePendingBlob } from '../../operations/pending-blobs.ts';
import { patienceOf, persist } from '../../operations/persist.ts';
import type { RunningJob } from '../../workers/provider-job.ts';
import type { ItemForm } from './batch-options.ts';
import { storedBlobKeys, type StoredEmbedding, type StoredGeneration } from '../stored-call.ts';

/** One item as it is kept until it is handed over. */
export type StoredItem = {
  /** Absent for the form of the contract. */
  readonly form?: ItemForm | undefined;
} & (
  | {
      readonly kind: 'generation';
      readonly call: StoredGeneration;
      /** The cache that it names, or null. */
      readonly cache: string | null;
    }
  | { readonly kind: 'embedding'; readonly call: StoredEmbedding }
);

/** Where the items lie: one blob, each item a piece of it, so that running one reads no other. */
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
    | { readonly phase: 'submitting' }
    | ({ readonly phase: 'running' } & RunningJob);
}

/** The work of a batch's record, or null where it holds none. */
export const batchWork = workReader<BatchWork>('input', 'upstream');

const partsOf = (item: StoredItem) => {
  if (item.kind === 'generation') return item.call.contents.flatMap(({ parts }) => parts);
  return item.call.input.kind === 'texts' ? [] : item.call.input.parts;
};

/** Blobs that a batch needs until it has ended. */
export const inputBlobKeys = ({ blobKey, mediaKeys }: BatchInput): readonly string[] => [blobKey, ...mediaKeys];

/** Puts the items aside as a blob without an owner; the step that opens the batch guards it. */
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

/** Reads one item back by its place; null where the blob is gone, which it is when its time has passed. */
export type ReadItem = (place: number) => Promise<StoredItem | null>;

/** An input of so many bytes is read at once; of a longer one each piece when it is needed. */
const wholeBytesMax = 4_194_304;

const readPiece = (
  engine: Engine,
  blobKey: string,
  range: { readonly fromByte: number; readonly toByte: number },
): Promise<Buffer | null> =>
  persist(patienceOf(engine), async () => {
    const blob = await engine.storage.blobs.getStream(blobKey, range);
    if (blob === undefined) return null;
    const chunks: Uint8Array[] = [];
    for await (const chunk of blob.chunks) chunks.push(chunk);
    return Buffer.concat(chunks);
  });

const parseItem = (piece: Buffer): StoredItem =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by `storeBatchInput` alone
  JSON.parse(piece.toString('utf8')) as StoredItem;

/** How one turn of work reads the items of its batch. */
export const createItemReader = (engine: Engine, { blobKey, ends }: BatchInput): ReadItem => {
  const bytes = ends.at(-1) ?? 0;
  let whole: Promise<Buffer | null> | null = null;
  return async (place) => {
    const range = { fromByte: ends[place - 1] ?? 0, toByte: ends[place] ?? 0 };
    if (bytes > wholeBytesMax) {
      const piece = await readPiece(engine, blobKey, range);
      return piece === null ? null : parseItem(piece);
    }
    whole ??= readPiece(engine, blobKey, { fromByte: 0, toByte: bytes });
    const read = await whole;
    return read === null ? null : parseItem(read.subarray(range.fromByte, range.toByte));
  };
};

/** What a batch is called, by what its items are found, and how it was asked for. */
export interface BatchNames {
  readonly displayName: string | null;
  /** One for each item, in their order. */
  readonly keys: readonly string[];
  readonly wire?: ResourceWire | undefined;
}

/** A batch as it is created. */
export const openBatch = ({ displayName, keys, wire }: BatchNames, input: BatchInput): ResourceDraft<BatchWork> =>
  draftResource({
    kind: 'batch',
    displayName,
    publicFields: withWire({ request_count: keys.length, completed_count: 0, failed_count: 0 }, wire),
    work: { input, round: 0, upstream: null },
    items: keys.map((key) => ({ key })),
  });
