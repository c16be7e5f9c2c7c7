import type { BatchItemRecord, OperationRecord } from '@tollgate/storage';
import type { Engine } from '../../engine.ts';
import { leftToSweep, removePendingBlob } from '../../operations/pending-blobs.ts';
import { persistWork } from '../../workers/persist-work.ts';
import type { KnownPart, Work, WorkOutcome } from '../../workers/work-kind.ts';
import { answerBlobKeys, chargeOfItems, resultOfItems, usageAtLeastOfItems, usageOfItems } from './batch-result.ts';
import { inputBlobKeys, type BatchInput, type BatchWork } from './batch-work.ts';
import { listItems } from './run-items.ts';

/** What is left over does no harm: the sweep deletes it in its time. */
export const dropInput = async (engine: Engine, operationId: string, input: BatchInput): Promise<void> => {
  const drop = (key: string): Promise<void> =>
    removePendingBlob(engine, key).catch(leftToSweep(engine, key, { operationId }));
  await Promise.all(inputBlobKeys(input).map(drop));
};

/** What the account carries now; another operation may change it before this one settles, and then carries the difference. */
const readRemainder = async (engine: Engine, { id, accountId }: OperationRecord): Promise<number> => {
  const read = () => engine.storage.read([{ table: 'wallet', id: accountId }]);
  return (await persistWork(engine, id, read)).get('wallet', accountId)?.remainderPicos ?? 0;
};

const knownOf = async (
  engine: Engine,
  { operation }: Work,
  input: BatchInput,
  items: readonly BatchItemRecord[],
): Promise<KnownPart> => {
  const remainderPicos = await readRemainder(engine, operation);
  const { measure, credits } = chargeOfItems(engine, operation, items, remainderPicos);
  return {
    usage: usageOfItems(items),
    measure: measure ?? undefined,
    result: resultOfItems(engine, items, credits),
    closing: {
      availability: 'follows',
      publicFields: {},
      work: null,
      expiresAfterMs: null,
      dropped: [...inputBlobKeys(input), ...answerBlobKeys(items)],
    },
  };
};

/**
 * What becomes of a batch of which nothing is under way. Items that were put off are tried again later; an item that no provider can
 * tell of leaves the whole uncertain, with everything that is known of the others.
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
    await dropInput(engine, work.operation.id, progress.input);
    return { kind: 'cancelled' };
  }
  const known = await knownOf(engine, work, progress.input, items);
  if (!some('unknown')) return { kind: 'done', ...known };
  const cause = new Error('an item of the batch may have run');
  return { kind: 'unknown', cause, known, usageAtLeast: usageAtLeastOfItems(items) };
};
