import { isNotExecuted, NotExecuted, type BlobPart, type Content, type ProjectFile } from '@tollgate/provider';
import { copyFile, findCopy } from './project-copies.ts';
import type { UriOf } from './to-google-contents.ts';
import { uploadFile, type UploadOptions } from './upload-file.ts';
import { isUsable, parseReference, type FileReference, type UpstreamFile } from './upstream-file.ts';
import type { Upstream } from './upstream.ts';

export interface CopyOptions extends UploadOptions {
  /** Copies that were noted before are not trusted, because the upstream just refused one. */
  readonly isFresh?: boolean;
}

export interface PlacingOptions extends CopyOptions {
  /** Bytes of media that are inside the request anyway. */
  readonly inlineBytes: number;
}

export const blobsOf = (contents: readonly Content[]): readonly BlobPart[] =>
  contents.flatMap(({ parts }) => parts.filter((part) => part.kind === 'blob'));

/** Bytes of the media that a call holds itself; base64 is a third longer. */
export const inlineBytesOf = (contents: readonly Content[]): number =>
  contents
    .flatMap(({ parts }) => parts)
    .reduce((sum, part) => (part.kind === 'media' ? sum + Math.ceil((part.data.length * 3) / 4) : sum), 0);

/**
 * Finds every blob of a call its place: a file of the project is named by the upstream's copy, which is made where there is
 * none; other blobs go inside the request as long as all of them fit, and are uploaded otherwise. Throws `NotExecuted` only,
 * for nothing has run.
 */
export const placeBlobs = async (
  upstream: Upstream,
  blobs: readonly BlobPart[],
  options: PlacingOptions,
): Promise<UriOf> => {
  const uris = new Map<unknown, string>();
  let { inlineBytes } = options;
  try {
    for (const blob of blobs) {
      const { file } = blob;
      const key = file?.id ?? blob;
      if (uris.has(key)) continue;
      if (file === undefined) inlineBytes += blob.sizeBytes;
      const isInline = file === undefined && inlineBytes <= upstream.limits.inlineBytesMax;
      if (!isInline) uris.set(key, await addressOf(upstream, blob, options));
    }
  } catch (cause) {
    throw notPlaced(cause, options);
  }
  return (blob) => uris.get(blob.file?.id ?? blob);
};

/** A file of the project as a copy that can be used now. Throws `NotExecuted` only. */
export const placeFile = async (
  upstream: Upstream,
  file: ProjectFile,
  options: CopyOptions,
): Promise<FileReference> => {
  try {
    return await copyOf(upstream, file, options);
  } catch (cause) {
    throw notPlaced(cause, options);
  }
};

const notPlaced = (cause: unknown, { context }: CopyOptions): NotExecuted =>
  isNotExecuted(cause)
    ? notOfTheCall(cause)
    : new NotExecuted({ reason: context.signal.aborted ? 'cancelled' : 'unavailable', cause });

/** A refusal of the upload is no refusal of the call's content, unless it is of the file itself. */
const notOfTheCall = (failure: NotExecuted): NotExecuted =>
  failure.reason === 'failed' ? new NotExecuted({ reason: 'unavailable', cause: failure.cause }) : failure;

const addressOf = async (upstream: Upstream, blob: BlobPart, options: PlacingOptions): Promise<string> => {
  const { file } = blob;
  if (file === undefined) return (await ready(upstream, await uploadFile(upstream, blob, options), options)).uri;
  return (await copyOf(upstream, file, options)).uri;
};

const copyOf = async (upstream: Upstream, file: ProjectFile, options: CopyOptions): Promise<FileReference> => {
  const reference = options.isFresh === true ? undefined : parseReference(file.reference);
  if (reference !== undefined && isUsable(reference, upstream.now())) return reference;
  return ready(upstream, await copyFile(upstream, file, options), options);
};

const pollMsFirst = 500;
const pollMsMax = 5_000;

/** Waits until a copy can be used. */
const ready = async (upstream: Upstream, copy: UpstreamFile, options: CopyOptions): Promise<UpstreamFile> => {
  const giveUpMs = Math.min(options.deadlineMs, upstream.now() + upstream.limits.fileReadyMs);
  let current = copy;
  for (let waitMs = pollMsFirst; current.state === 'processing'; waitMs = Math.min(2 * waitMs, pollMsMax)) {
    if (upstream.now() + waitMs > giveUpMs) throw new NotExecuted({ reason: 'unavailable', cause: 'file not ready' });
    await upstream.sleep(waitMs, options.context.signal);
    const found = await findCopy(upstream, current.name, options);
    if (found === undefined) throw new NotExecuted({ reason: 'unavailable', cause: 'file lost' });
    current = found;
  }
  if (current.state === 'failed') throw new NotExecuted({ reason: 'invalid_request', cause: 'file cannot be read' });
  return current;
};
