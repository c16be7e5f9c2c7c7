import type { IndexQuery, OccurrenceRecord, TriggerRecord } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { listOccurrences, setTriggerEnabled, type TriggerName } from '../triggers/triggers.ts';
import { byAge, selectPage, type Page, type PageQuery } from './search.ts';

/** A schedule without the interaction that it opens, which may be large. */
export type ScheduleInfo = Omit<TriggerRecord, 'interaction' | 'keptBytes' | 'owner' | 'dueAtMs'>;

/** What schedules are listed by. */
export interface ScheduleQuery extends PageQuery {
  /** Those of one project; by default of all. */
  readonly projectId?: string | undefined;
}

const infoOf = ({
  interaction: _interaction,
  keptBytes: _keptBytes,
  owner: _owner,
  dueAtMs: _dueAtMs,
  ...info
}: TriggerRecord): ScheduleInfo => info;

/** A page of the schedules that are not deleted, newest first, each with its next run. */
export const findSchedules = async (
  { storage }: Pick<Engine, 'storage'>,
  query: ScheduleQuery = {},
): Promise<Page<ScheduleInfo>> => {
  const { projectId } = query;
  const read = (page: Omit<IndexQuery, 'of'>): Promise<readonly TriggerRecord[]> =>
    projectId === undefined
      ? storage.list('triggers', { of: '', ...page })
      : storage.list('triggersByProject', { of: projectId, ...page });
  const { items, next } = await selectPage(read, { ...query, placeOf: byAge, keeps: () => true });
  return { items: items.map(infoOf), next };
};

/** A schedule, a deleted one too, or null. */
export const readSchedule = async (
  { storage }: Pick<Engine, 'storage'>,
  triggerId: string,
): Promise<ScheduleInfo | null> => {
  const trigger = (await storage.read([{ table: 'trigger', id: triggerId }])).get('trigger', triggerId);
  return trigger === undefined ? null : infoOf(trigger);
};

/** The newest runs of a schedule, up to a hundred. */
export const listScheduleRuns = (engine: Engine, triggerId: string): Promise<readonly OccurrenceRecord[]> =>
  listOccurrences(engine, triggerId);

/** Resumes a schedule at its next future instant, or pauses it; null where the project has no such schedule. */
export const setScheduleEnabled = async (
  engine: Engine,
  name: TriggerName,
  enabled: boolean,
): Promise<ScheduleInfo | null> => {
  const trigger = await setTriggerEnabled(engine, name, enabled);
  return trigger === null ? null : infoOf(trigger);
};
