import type { ErrorCode } from '@tollgate/contract';
import { listRowsMax, type BatchItemRecord } from '@tollgate/storage';
import {
  recordItems,
  type RecordItemsAnswer,
  type RecordItemsCommand,
  type ItemEnd,
} from '../../decisions/record-items.ts';
import type { Engine } from '../../engine.ts';
import { commitWork, persistWork } from '../../workers/persist-work.ts';
import type { WorkContext } from '../../workers/work-kind.ts';
import { batchInputKeptMs } from './batch-options.ts';
import { failedItem, unknownItem } from './item-answer.ts';
import { runItem, type ItemRun } from './run-item.ts';

/** Every item of a batch, in the order sent. */
export const listItems = async (engine: Engine, batchId: string): Promise<readonly BatchItemRecord[]> => {
  const query = { of: batchId, limit: listRowsMax };
  const items = await persistWork(engine, batchId, () => engine.storage.list('itemsByBatch', query));
  return items.toReversed();
};

/** One turn of work on a batch, and the name that it holds its lease by. */
export interface BatchTurn {
  readonly batchId: string;
  readonly owner: string;
}

/** Notes and marks items in one durable step. */
export const stepItems = (
  engine: Engine,
  { batchId, owner }: BatchTurn,
  change: Pick<RecordItemsCommand, 'ends' | 'start' | 'isOwnWord'>,
): Promise<RecordItemsAnswer> => {
  const command = {
    batchId,
    owner,
    leaseMs: engine.limits.leaseMs,
    answerBlobMs: batchInputKeptMs,
    ...change,
  };
  return commitWork(engine, batchId, recordItems(command));
};

export type ItemsEnd =
  /** Nothing is left to begin in this turn, and nothing is under way. */
  | 'through'
  /** The process is about to end, and some items have not begun. */
  | 'draining'
  /** Another worker has the batch. */
  | 'lost'
  /** No item has ever begun, and none may: the key may not be used any more. */
  | { readonly kind: 'refused'; readonly code: ErrorCode };

/** Items under way and those that ended since the last step. */
interface Hands {
  readonly running: Set<Promise<void>>;
  ends: ItemEnd[];
}

const begin = (run: ItemRun, hands: Hands, item: BatchItemRecord): void => {
  const carryOut = async (): Promise<void> => {
    hands.ends.push(await runItem(run, item));
    hands.running.delete(running);
  };
  const running = carryOut();
  hands.running.add(running);
};

/**
 * Carries out what waits, so many at once, until nothing is left: each step notes what ended since the last one and marks what
 * begins next, so that its cost is shared. A mark that an earlier worker left is of an item that may have run; it is never run
 * again. Whatever becomes of the batch meanwhile, how the items under way ended is noted. Once the key may not be used any more,
 * what has not begun fails without a charge.
 */
export const runItems = async (run: ItemRun, itemsAtOnce: number, context: WorkContext): Promise<ItemsEnd> => {
  const { engine } = run.options;
  const turn = { batchId: run.operation.id, owner: context.owner };
  const items = await listItems(engine, turn.batchId);
  const waiting = items.filter(({ state }) => state === 'waiting');
  const left = items.filter(({ state }) => state === 'running').map(({ id }) => unknownItem(id, []));
  const hands: Hands = { running: new Set(), ends: left };
  let mayBegin = true;
  for (;;) {
    const draining = context.signal.aborted || context.isDraining();
    const room = mayBegin && !draining ? itemsAtOnce - hands.running.size : 0;
    const refusal = room > 0 && waiting.length > 0 ? await context.accessRefusal() : null;
    if (refusal !== null) {
      if (waiting.length === items.length) return { kind: 'refused', code: refusal };
      hands.ends.push(...waiting.splice(0).map(({ id }) => failedItem(id, refusal, [])));
    }
    const next = waiting.splice(0, room);
    const ends = hands.ends.splice(0);
    if (next.length > 0 || ends.length > 0) {
      const answer = await stepItems(engine, turn, { ends, start: next.map(({ id }) => id) });
      if (answer.kind === 'lost') mayBegin = false;
      else {
        const started = new Set(answer.started);
        for (const item of next) if (started.has(item.id)) begin(run, hands, item);
        if (answer.cancelling) await cancelWaiting(engine, turn, waiting.splice(0));
      }
    } else if (hands.running.size === 0) {
      if (!mayBegin) return 'lost';
      return waiting.length === 0 ? 'through' : 'draining';
    }
    const full = waiting.length === 0 || hands.running.size >= itemsAtOnce || !mayBegin || draining;
    if (full && hands.running.size > 0) await Promise.race(hands.running);
  }
};

/** In a batch that is being cancelled, what is to begin ends as cancelled instead. */
const cancelWaiting = async (engine: Engine, turn: BatchTurn, items: readonly BatchItemRecord[]): Promise<void> => {
  if (items.length > 0) await stepItems(engine, turn, { ends: [], start: items.map(({ id }) => id) });
};
