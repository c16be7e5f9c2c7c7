import { listRowsMax, type IndexCursor, type OperationRecord } from '@tollgate/storage';
import type { OperationState } from '@tollgate/contract';
import type { Engine } from '../engine.ts';
import type { HoldsOfAge, StoredGauges } from '../ports/observer.ts';
import { withDeadline } from '../workers/with-deadline.ts';

/** States of operations that keep a hold. */
const heldStates = [
  'preparing',
  'reserved',
  'processing',
  'cancelling',
  'settling',
  'uncertain',
] as const satisfies OperationState[];

/** Upper bounds of the ages that holds are counted by; the last group is older. */
const ageSecondsBounds = [60, 600, 3_600, 86_400] as const;
/** Pages read of one state at the most. */
const pagesPerStateMax = 10;
/** How long one reading serves. */
const reusedMs = 10_000;
/** How long the storage may take for one reading. */
const readMsMax = 5_000;

interface Found {
  readonly rows: readonly OperationRecord[];
  readonly isWhole: boolean;
}

const readState = async ({ storage }: Pick<Engine, 'storage'>, state: OperationState): Promise<Found> => {
  const rows: OperationRecord[] = [];
  let after: IndexCursor | undefined;
  for (let page = 0; page < pagesPerStateMax; page += 1) {
    const query = { of: state, limit: listRowsMax };
    const found = await storage.list('operationsByState', after === undefined ? query : { ...query, after });
    rows.push(...found);
    const last = found.at(-1);
    if (last === undefined || found.length < listRowsMax) return { rows, isWhole: true };
    after = { order: last.createdAtMs, id: last.id };
  }
  return { rows, isWhole: false };
};

/** Which group an age belongs to. */
const groupOf = (ageMs: number): number => {
  const group = ageSecondsBounds.findIndex((seconds) => ageMs < seconds * 1_000);
  return group === -1 ? ageSecondsBounds.length : group;
};

/** Counts holds by age. Operations without a hold are not counted. */
export const holdsByAge = (
  rows: readonly Pick<OperationRecord, 'createdAtMs' | 'holdMicros'>[],
  nowMs: number,
): readonly HoldsOfAge[] => {
  const held = rows.filter(({ holdMicros }) => holdMicros > 0n);
  return [...ageSecondsBounds, null].map((ageSecondsMax, group) => {
    const ofAge = held.filter(({ createdAtMs }) => groupOf(nowMs - createdAtMs) === group);
    const heldMicros = ofAge.reduce((sum, { holdMicros }) => sum + holdMicros, 0n);
    return { ageSecondsMax, count: ofAge.length, heldMicros };
  });
};

const readGauges = async (engine: Pick<Engine, 'storage' | 'clock'>): Promise<StoredGauges> => {
  const found = await Promise.all(heldStates.map((state) => readState(engine, state)));
  const rows = found.flatMap((each) => each.rows);
  return {
    uncertain: rows.filter(({ state }) => state === 'uncertain').length,
    holds: holdsByAge(rows, engine.clock.wallClockMs()),
    isWhole: found.every(({ isWhole }) => isWhole),
  };
};

/** Reads what the storage holds for observers; readings that follow each other share one. */
export const createStoredGauges = (
  engine: Pick<Engine, 'storage' | 'clock' | 'logger'>,
): (() => Promise<StoredGauges | null>) => {
  let last: { readonly atMs: number; readonly gauges: Promise<StoredGauges | null> } | null = null;
  const read = async (): Promise<StoredGauges | null> => {
    try {
      return await withDeadline(engine.clock, { ms: readMsMax }, () => readGauges(engine));
    } catch (cause) {
      engine.logger.warn('what the storage holds could not be read for an observer', { cause });
      return null;
    }
  };
  return () => {
    const nowMs = engine.clock.monotonicMs();
    if (last === null || nowMs - last.atMs >= reusedMs) last = { atMs: nowMs, gauges: read() };
    return last.gauges;
  };
};
