import {
  NotExecuted,
  type BlobPart,
  type Content,
  type EmbeddingCall,
  type EmbeddingInput,
  type GenerationCall,
  type ModelPart,
  type Part,
} from '@tollgate/provider';
import type { Engine } from '../engine.ts';
import { blobKeysOf, toMediaPart, type StoredMedia } from './stored-media.ts';

/** Bytes that are no part of the JSON: a blob that is guarded, or a file of the project. */
interface StoredBlobPart extends ModelPart {
  readonly kind: 'stored';
  readonly media: Exclude<StoredMedia, { readonly kind: 'inline' }>;
}

/** A part as JSON can hold it. */
export type StoredPart = Exclude<Part, BlobPart> | StoredBlobPart;

export interface StoredContent {
  readonly role: Content['role'];
  readonly parts: readonly StoredPart[];
}

/** A generation as JSON can hold it, for whichever process carries it out. */
export type StoredGeneration = Omit<GenerationCall, 'operationId' | 'contents'> & {
  readonly contents: readonly StoredContent[];
};

type StoredInput =
  | Extract<EmbeddingInput, { readonly kind: 'texts' }>
  | (Omit<Extract<EmbeddingInput, { readonly kind: 'content' }>, 'parts'> & { readonly parts: readonly StoredPart[] });

export type StoredEmbedding = Omit<EmbeddingCall, 'operationId' | 'input'> & { readonly input: StoredInput };

/** Whose files a call may name, and who is to read them. */
export interface CallOwner {
  readonly projectId: string;
  readonly provider: string;
}

const storedMedia = ({ file, blobKey, mimeType, sizeBytes }: BlobPart): StoredBlobPart['media'] => {
  if (file !== undefined) return { kind: 'file', fileId: file.id };
  if (blobKey === undefined) throw new TypeError('bytes that lie nowhere cannot be stored');
  return { kind: 'blob', mimeType, sizeBytes, blobKey };
};

const toStoredPart = (part: Part): StoredPart => {
  if (part.kind !== 'blob') return part;
  const { thought, context } = part;
  return {
    kind: 'stored',
    media: storedMedia(part),
    ...(thought === undefined ? {} : { thought }),
    ...(context === undefined ? {} : { context }),
  };
};

export const toStoredContents = (contents: readonly Content[]): readonly StoredContent[] =>
  contents.map(({ role, parts }) => ({ role, parts: parts.map(toStoredPart) }));

export const toStoredGeneration = (call: Omit<GenerationCall, 'operationId'>): StoredGeneration => ({
  ...call,
  contents: toStoredContents(call.contents),
});

export const toStoredEmbedding = (call: Omit<EmbeddingCall, 'operationId'>): StoredEmbedding => {
  const { input, ...rest } = call;
  return {
    ...rest,
    input: input.kind === 'texts' ? input : { ...input, parts: input.parts.map(toStoredPart) },
  };
};

/** The blobs that parts need. */
export const storedBlobKeys = (parts: readonly StoredPart[]): readonly string[] =>
  blobKeysOf(parts.flatMap((part) => (part.kind === 'stored' ? [part.media] : [])));

const fromStoredPart = async (engine: Engine, owner: CallOwner, part: StoredPart): Promise<Part> => {
  if (part.kind !== 'stored') return part;
  const { media, kind: _kind, ...modifiers } = part;
  return { ...(await toMediaPart(engine, owner, media)), ...modifiers };
};

const fromStoredParts = (engine: Engine, owner: CallOwner, parts: readonly StoredPart[]): Promise<readonly Part[]> =>
  Promise.all(parts.map((part) => fromStoredPart(engine, owner, part)));

/** Turns as a provider takes them. Throws `NotExecuted` where a file is gone, which is before anything is handed over. */
export const fromStoredContents = (
  engine: Engine,
  owner: CallOwner,
  contents: readonly StoredContent[],
): Promise<readonly Content[]> =>
  Promise.all(contents.map(async ({ role, parts }) => ({ role, parts: await fromStoredParts(engine, owner, parts) })));

export const fromStoredGeneration = async (
  engine: Engine,
  owner: CallOwner,
  stored: StoredGeneration,
): Promise<Omit<GenerationCall, 'operationId'>> => ({
  ...stored,
  contents: await fromStoredContents(engine, owner, stored.contents),
});

export const fromStoredEmbedding = async (
  engine: Engine,
  owner: CallOwner,
  { input, ...rest }: StoredEmbedding,
): Promise<Omit<EmbeddingCall, 'operationId'>> => ({
  ...rest,
  input: input.kind === 'texts' ? input : { ...input, parts: await fromStoredParts(engine, owner, input.parts) },
});

/** What is found gone before a hand-over: nothing was executed. */
export const goneBefore = (what: string): NotExecuted =>
  new NotExecuted({ reason: 'invalid_request', cause: new Error(`${what} is gone`) });
