import type { BatchItemRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { removePendingBlob } from '../../pending-blobs.ts';
import type { KnownPart, Work, WorkOutcome } from '../../work/work-kind.ts';
import { answerBlobKeys, resultOfItems, usageOfItems } from './batch-result.ts';
import { inputBlobKeys, type BatchInput, type BatchWork } from './batch-work.ts';
import { listItems } from './run-items.ts';

/** What is left over does no harm: the sweep deletes it in its time. */
export const dropInput = async (engine: Engine, input: BatchInput): Promise<void> => {
  const drop = (key: string): Promise<void> =>
    removePendingBlob(engine, key).catch((cause: unknown) =>
      engine.logger.warn('a blob was left to the sweep', { key, cause }),
    );
  await Promise.all(inputBlobKeys(input).map(drop));
};

const knownOf = (engine: Engine, work: Work, input: BatchInput, items: readonly BatchItemRecord[]): KnownPart => ({
  usage: usageOfItems(items),
  result: resultOfItems(engine, work.operation, items),
  closing: {
    standing: 'follows',
    shown: {},
    work: null,
    expiresAfterMs: null,
    dropped: [...inputBlobKeys(input), ...answerBlobKeys(items)],
  },
});

/**
 * What becomes of a batch of which nothing is under way. Items that were put off are tried again later; an item that nobody can
 * tell of leaves the whole in doubt, with everything that is known of the others.
 */
export const endOfBatch = async (
  engine: Engine,
  work: Work,
  progress: BatchWork,
  pauseMs: number,
): Promise<WorkOutcome> => {
  const items = await listItems(engine, work.operation.id);
  const some = (state: BatchItemRecord['state']): boolean => items.some((item) => item.state === state);
  if (some('waiting') || some('running'))
    return { kind: 'later', afterMs: pauseMs, work: { ...progress, round: progress.round + 1 } satisfies BatchWork };
  if (items.every(({ state }) => state === 'cancelled')) {
    await dropInput(engine, progress.input);
    return { kind: 'cancelled' };
  }
  const known = knownOf(engine, work, progress.input, items);
  return some('unknown')
    ? { kind: 'unknown', cause: new Error('an item of the batch may have run'), known }
    : { kind: 'done', ...known };
};
