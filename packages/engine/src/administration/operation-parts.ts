import {
  listRowsMax,
  type AttemptRecord,
  type BatchItemRecord,
  type OperationRecord,
  type UsageRecord,
} from '@tollgate/storage';
import { storedAttempts } from '../decisions/stored-values.ts';
import { addRecords } from '../decisions/verdict.ts';
import type { Engine } from '../engine.ts';

/** One part of an operation: an upstream request, or an item of a batch. */
export interface OperationPart {
  /** The number of the upstream request, counted from 1, or the key of the item. */
  readonly part: string;
  /** `nothing` certainly did not run; a part that is `known` was measured with the others. */
  readonly state: 'known' | 'nothing' | 'unknown';
  readonly usageAtLeast: readonly UsageRecord[] | null;
  /** What upstreams call its upstream requests and their answers. */
  readonly upstreamIds: readonly string[];
  /** Who made its upstream requests that may have run, and when the first began and the last ended; null where none is on record. */
  readonly providers: readonly string[];
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

const idsOf = (attempts: readonly AttemptRecord[]): readonly string[] =>
  attempts.flatMap(({ upstreamId, answerId }) => [upstreamId ?? [], answerId ?? []].flat());

/** Who made the upstream requests that may have run, and from when to when. */
const spanOf = (attempts: readonly AttemptRecord[]): Pick<OperationPart, 'providers' | 'fromMs' | 'untilMs'> => {
  const ran = attempts.filter(({ outcome }) => outcome === 'unknown' || outcome === 'answered');
  if (ran.length === 0) return { providers: [], fromMs: null, untilMs: null };
  return {
    providers: [...new Set(ran.map(({ provider }) => provider))],
    fromMs: Math.min(...ran.map(({ startedAtMs }) => startedAtMs)),
    untilMs: Math.max(...ran.map(({ startedAtMs, durationMs }) => startedAtMs + durationMs)),
  };
};

const leastOf = (attempts: readonly AttemptRecord[]): readonly UsageRecord[] | null => {
  const sum = addRecords(...attempts.map(({ usageAtLeast = [] }) => usageAtLeast));
  return sum.length === 0 ? null : sum;
};

const attemptState = ({ outcome }: AttemptRecord): OperationPart['state'] => {
  if (outcome === 'unknown') return 'unknown';
  return outcome === 'answered' ? 'known' : 'nothing';
};

const partOfAttempt = (attempt: AttemptRecord, place: number): OperationPart => ({
  part: String(place + 1),
  state: attemptState(attempt),
  usageAtLeast: leastOf([attempt]),
  upstreamIds: idsOf([attempt]),
  ...spanOf([attempt]),
});

const itemState = ({ state }: BatchItemRecord): OperationPart['state'] => {
  if (state === 'completed') return 'known';
  return state === 'failed' || state === 'cancelled' ? 'nothing' : 'unknown';
};

const partOfItem = (item: BatchItemRecord): OperationPart => {
  const attempts = storedAttempts(item.attempts);
  return {
    part: item.key,
    state: itemState(item),
    usageAtLeast: leastOf(attempts),
    upstreamIds: idsOf(attempts),
    ...spanOf(attempts),
  };
};

/** The items of a batch, in their order. */
export const itemsOf = async (
  { storage }: Pick<Engine, 'storage'>,
  { id }: Pick<OperationRecord, 'id'>,
): Promise<readonly BatchItemRecord[]> =>
  (await storage.list('itemsByBatch', { of: id, limit: listRowsMax })).toReversed();

/** The parts of an operation, in their order: its upstream requests, and of a batch its items. */
export const partsOf = async (
  { storage }: Pick<Engine, 'storage'>,
  operation: OperationRecord,
): Promise<readonly OperationPart[]> => {
  if (operation.kind !== 'batch') return operation.attempts.map(partOfAttempt);
  return (await itemsOf({ storage }, operation)).map(partOfItem);
};

/** What was measured of the parts that are known: as it is on record, or what the lower bound has beyond the unknown parts. */
export const knownUsageOf = ({ usage, usageAtLeast, attempts }: OperationRecord): readonly UsageRecord[] => {
  if (usage !== null) return usage;
  const markedUncertain = attempts
    .filter(({ outcome }) => outcome === 'unknown')
    .map(({ usageAtLeast: least = [] }) => least);
  const negative = markedUncertain.flat().map(({ unit, quantity }) => ({ unit, quantity: -quantity }));
  return addRecords(usageAtLeast ?? [], negative).filter(({ quantity }) => quantity > 0);
};
