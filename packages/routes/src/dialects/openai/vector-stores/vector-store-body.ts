import { GatewayError, isKeptText, limits, readAt } from '@tollgate/contract';
import { z } from 'zod';
import { Attributes, Metadata } from '../metadata.ts';

/** Files that one request can add to a store. */
const filesMax = limits.list.recordsMax;
const nameCharsMax = 256;
const descriptionCharsMax = 512;
const idCharsMax = 128;

const kept = (charsMax: number) => z.string().max(charsMax).refine(isKeptText);
const fileId = z.string().min(1).max(idCharsMax);

/** The gateway has one way to split a text. A client that leaves it to the service gets it. */
const chunkingStrategy = z.strictObject({ type: z.literal('auto') }).nullish();

const StoreBody = z.strictObject({
  name: kept(nameCharsMax).nullish(),
  description: kept(descriptionCharsMax).nullish(),
  file_ids: z.array(fileId).max(filesMax).nullish(),
  metadata: Metadata,
  chunking_strategy: chunkingStrategy,
});

const file = { attributes: Attributes, chunking_strategy: chunkingStrategy };

const FileBody = z.strictObject({ file_id: fileId, ...file });

const FileBatchBody = z.strictObject({
  file_ids: z.array(fileId).max(filesMax).nullish(),
  files: z.array(FileBody).max(filesMax).nullish(),
  ...file,
});

/** A file that is to be added to a store. */
export interface AddedFile {
  readonly fileId: string;
  readonly attributes: z.infer<typeof Attributes>;
}

export interface VectorStoreRequest {
  readonly name: string | null;
  readonly description: string | null;
  readonly metadata: z.infer<typeof Metadata>;
  readonly files: readonly AddedFile[];
}

/** The body of `POST /vector_stores`. */
export const parseVectorStore = (body: unknown): VectorStoreRequest => {
  const { name, description, metadata, file_ids } = readAt(StoreBody, body);
  const ids = [...new Set(file_ids ?? [])];
  return {
    // An empty name is none.
    name: name || null,
    description: description ?? null,
    metadata,
    files: ids.map((id) => ({ fileId: id, attributes: null })),
  };
};

/** The body of `POST /vector_stores/{id}/files`. */
export const parseStoreFile = (body: unknown): AddedFile => {
  const { file_id, attributes } = readAt(FileBody, body);
  return { fileId: file_id, attributes };
};

/** The body of `POST /vector_stores/{id}/file_batches`: ids alone, or files each with its own attributes. */
export const parseFileBatch = (body: unknown): readonly AddedFile[] => {
  const { file_ids, files, attributes } = readAt(FileBatchBody, body);
  const named = files ?? [];
  const ids = file_ids ?? [];
  const count = named.length + ids.length;
  if (count === 0 || (named.length > 0 && ids.length > 0))
    throw new GatewayError('invalid_request', {
      detail: `The fields file_ids and files name ${count} files; accepted are 1 to ${filesMax} files in one of the two.`,
    });
  const added: readonly AddedFile[] = [
    ...ids.map((id) => ({ fileId: id, attributes })),
    ...named.map((each) => ({ fileId: each.file_id, attributes: each.attributes })),
  ];
  return [...new Map(added.map((each) => [each.fileId, each])).values()];
};
