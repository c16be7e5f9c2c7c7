import { isNotExecuted, type CallContext, type NotExecutedReason, type ProviderFiles } from '@tollgate/provider';
import type { FileRecord } from '@tollgate/storage';
import { retryAfterMsOf } from '../workers/is-transient.ts';
import { withDeadline } from '../workers/with-deadline.ts';
import { callerOf } from '../operations/caller-of.ts';
import { notExecutedCode } from '../operations/conclude.ts';
import { clearFile } from '../decisions/delete-file.ts';
import { expireFiles, moveFileStep, type FileMove } from '../decisions/move-file.ts';
import type { Engine } from '../engine.ts';
import { commit, commitOnce } from '../operations/persist.ts';
import { mediaBlobKey } from './file-blob-key.ts';
import { toProjectFile } from './project-file.ts';

/** For whom a file is looked after: a request of a client, where one waits; the time that there is. */
export interface FileAsking {
  readonly requestId?: string | undefined;
  readonly signal: AbortSignal;
}

const contextOf = (
  engine: Engine,
  file: FileRecord,
  provider: string,
  { requestId, signal }: FileAsking,
): CallContext => ({
  caller: callerOf(file),
  signal,
  // No operation carries them, so the log is their record.
  recordAttempt: (attempt) => {
    const message = 'a provider was asked about a file';
    const fields = { requestId, fileId: file.id, provider, ...attempt };
    if (attempt.outcome === 'answered') engine.logger.info(message, fields);
    else engine.logger.warn(message, fields);
  },
});

/** Runs a question to a provider for as long as a copy may take. */
const inTime = <T>(
  { clock, limits }: Engine,
  signal: AbortSignal,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> => withDeadline(clock, { ms: limits.fileCopyMs, signal, grace: 'microtasks' }, ask);

/** Reasons that another try cannot change. */
const finalReasons = new Set<NotExecutedReason>(['invalid_request', 'unsupported', 'input_limit', 'failed']);

const later = ({ limits }: Pick<Engine, 'limits'>, retryAfterMs: number | undefined): FileMove => ({
  kind: 'later',
  afterMs: Math.min(retryAfterMs ?? limits.filePollMs, limits.fileCopyMs),
  processingMsMax: limits.fileProcessingMs,
});

/** What a question that failed says of the file: a definite refusal fails it, anything else is tried again. */
const moveOfFailure = (engine: Engine, file: FileRecord, { requestId }: FileAsking, cause: unknown): FileMove => {
  if (isNotExecuted(cause) && finalReasons.has(cause.reason))
    return { kind: 'failed', errorCode: notExecutedCode(cause.reason) };
  engine.logger.warn('a copy of a file could not be made or checked yet', { requestId, fileId: file.id, cause });
  return later(engine, retryAfterMsOf(cause));
};

const askProvider = async (
  engine: Engine,
  file: FileRecord,
  copies: ProviderFiles,
  asked: FileAsking,
): Promise<FileMove> => {
  const provider = file.provider ?? '';
  const context = contextOf(engine, file, provider, asked);
  const projectFile = toProjectFile(engine, file, provider);
  const state = await (projectFile.reference === null
    ? copies.upload(projectFile, context)
    : copies.state(projectFile, context));
  switch (state) {
    case 'active':
      return { kind: 'active' };
    case 'failed':
      return { kind: 'failed', errorCode: 'request_failed' };
    case 'processing':
      return later(engine, undefined);
  }
};

/** How far the provider is with its copy. Where it has no business with files any more, the file can be used as it lies. */
export const findMove = async (engine: Engine, file: FileRecord, asked: FileAsking): Promise<FileMove> => {
  const copies = file.provider === null ? null : engine.host.fileCopies(file.provider);
  if (copies === null) return { kind: 'active' };
  try {
    return await inTime(engine, asked.signal, (signal) => askProvider(engine, file, copies, { ...asked, signal }));
  } catch (cause) {
    return moveOfFailure(engine, file, asked, cause);
  }
};

export const moveFile = (
  engine: Engine,
  fileId: string,
  move: FileMove,
  claimedBy: string | null,
): Promise<FileRecord | null> => commit(engine, moveFileStep({ fileId, move, claimedBy }));

/** Takes a file of ours one step on from `processing`. */
export const advanceFile = async (engine: Engine, file: FileRecord, asked: FileAsking): Promise<void> => {
  const move = await findMove(engine, file, asked);
  await moveFile(engine, file.id, move, file.owner);
};

const removeCopies = async (engine: Engine, file: FileRecord, signal: AbortSignal): Promise<void> => {
  for (const provider of Object.keys(file.notes)) {
    const remove = engine.host.fileCopies(provider)?.remove;
    if (remove === undefined) continue;
    try {
      await inTime(engine, signal, (bounded) =>
        remove(toProjectFile(engine, file, provider), contextOf(engine, file, provider, { signal: bounded })),
      );
    } catch (cause) {
      // The upstream ends its copies by itself; the bytes here must go in any case.
      engine.logger.warn('a copy of a file could not be removed', { fileId: file.id, provider, cause });
    }
  }
};

/** Clears away what lies outside of the record of a file that has ended. */
const clearEnded = async (engine: Engine, file: FileRecord, signal: AbortSignal): Promise<void> => {
  await removeCopies(engine, file, signal);
  await engine.storage.blobs.delete(mediaBlobKey(file.id));
  const command = { claimed: file, recordKeptMs: engine.limits.recordKeptMs };
  await commitOnce(engine, clearFile(command));
};

const process = async (engine: Engine, claimed: FileRecord, signal: AbortSignal): Promise<void> => {
  const [file] = await commitOnce(engine, expireFiles([claimed.id]));
  switch (file?.status) {
    case undefined:
    case 'active':
      return;
    case 'processing':
      await advanceFile(engine, file, { signal });
      return;
    case 'failed':
    case 'expired':
    case 'deleted':
      await clearEnded(engine, file, signal);
  }
};

/** What a due file needs, by its status. Where it fails, the claim on the row runs out and it is checked again. */
export const processFile = (engine: Engine, claimed: FileRecord): Promise<void> =>
  engine.backgroundTasks.run(async (signal) => {
    try {
      await process(engine, claimed, signal);
    } catch (cause) {
      engine.logger.error('a due file could not be processed', { fileId: claimed.id, cause });
    }
  });
