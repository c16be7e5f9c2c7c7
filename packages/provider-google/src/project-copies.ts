import {
  isNotExecuted,
  UnknownOutcome,
  type CallContext,
  type ProjectFile,
  type UpstreamFileState,
} from '@tollgate/provider';
import { send } from './send.ts';
import { uploadFile, type UploadOptions } from './upload-file.ts';
import { encodeReference, isUsable, parseReference, readUpstreamFile, type UpstreamFile } from './upstream-file.ts';
import { resourcePath, type Upstream } from './upstream.ts';

/** Gives the upstream a copy of a file of the project, and notes its name and address. */
export const copyFile = async (
  upstream: Upstream,
  file: ProjectFile,
  options: UploadOptions,
): Promise<UpstreamFile> => {
  const copy = await uploadFile(upstream, file, options);
  await file.keepReference(encodeReference(copy));
  return copy;
};

/** Asks after a copy; undefined where the upstream has it no more. */
export const findCopy = async (
  upstream: Upstream,
  name: string,
  options: UploadOptions,
): Promise<UpstreamFile | undefined> => {
  const answer = await send(upstream, { method: 'GET', path: resourcePath(upstream, name), ...options }).catch(ifGone);
  if (answer === undefined) return undefined;
  const copy = readUpstreamFile(answer.json, upstream.now());
  if (copy === undefined) throw new UnknownOutcome('unreadable_answer');
  return copy;
};

/** The upstream says 403 as well as 404 of a file or a cache that is gone. */
export const isGone = (failure: unknown): boolean => {
  const cause = isNotExecuted(failure) ? failure.cause : undefined;
  const status = typeof cause === 'object' && cause !== null && 'status' in cause ? cause.status : undefined;
  return status === 403 || status === 404;
};

export const ifGone = (failure: unknown): undefined => {
  if (!isGone(failure)) throw failure;
};

const optionsOf = (upstream: Upstream, context: CallContext): UploadOptions => ({
  context,
  deadlineMs: upstream.now() + upstream.limits.timeoutMs,
});

export const uploadCopy = async (
  upstream: Upstream,
  file: ProjectFile,
  context: CallContext,
): Promise<UpstreamFileState> => (await copyFile(upstream, file, optionsOf(upstream, context))).state;

/** How far the upstream is; a copy that it has no more is given to it again. */
export const stateOfCopy = async (
  upstream: Upstream,
  file: ProjectFile,
  context: CallContext,
): Promise<UpstreamFileState> => {
  const options = optionsOf(upstream, context);
  const reference = parseReference(file.reference);
  const isKnown = reference !== undefined && isUsable(reference, upstream.now());
  const copy = isKnown ? await findCopy(upstream, reference.name, options) : undefined;
  return (copy ?? (await copyFile(upstream, file, options))).state;
};

/** Removes the copy; one that is gone, or never was, is no error. */
export const removeCopy = async (upstream: Upstream, file: ProjectFile, context: CallContext): Promise<void> => {
  const reference = parseReference(file.reference);
  if (reference === undefined || reference.expiresAtMs <= upstream.now()) return;
  const path = resourcePath(upstream, reference.name);
  await send(upstream, { method: 'DELETE', path, ...optionsOf(upstream, context) }).catch(ifGone);
};
