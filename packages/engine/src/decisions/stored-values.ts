import { eventTypes, isRecord, type EventType } from '@tollgate/contract';
import type { AttemptRecord, ResourceRecord, UsageRecord } from '@tollgate/storage';

// Records hold values that the storage takes as they are. They are read here, each with a check of what it must be: what a storage
// or another program changed is an error that says so, and never a wrong decision.

const typeNames: ReadonlySet<string> = new Set(eventTypes);

const isText = (value: unknown): value is string => typeof value === 'string';
const isEventType = (value: unknown): value is EventType => isText(value) && typeNames.has(value);
const isUsage = (value: unknown): value is UsageRecord =>
  isRecord(value) && isText(value['unit']) && typeof value['quantity'] === 'number';
const isAttempt = (value: unknown): value is AttemptRecord =>
  isRecord(value) && isText(value['provider']) && typeof value['startedAtMs'] === 'number';

/** A list whose every item passes the check. Throws where it is anything else. */
export const storedList = <T>(what: string, value: unknown, isItem: (item: unknown) => item is T): readonly T[] => {
  if (!Array.isArray(value)) throw new Error(`a record holds no list of ${what}`);
  const items: readonly unknown[] = value;
  if (!items.every(isItem)) throw new Error(`a record holds what is none of ${what}`);
  return items;
};

export const storedTexts = (value: unknown): readonly string[] => storedList('texts', value, isText);

export const storedEventTypes = (value: unknown): readonly EventType[] => storedList('event types', value, isEventType);

export const storedUsage = (value: unknown): readonly UsageRecord[] => storedList('usage', value, isUsage);

export const storedAttempts = (value: unknown): readonly AttemptRecord[] => storedList('attempts', value, isAttempt);

/** The work of a resource whose settlement waits stands within its closing. */
const unwrapped = (work: unknown): unknown => {
  const closing = isRecord(work) ? work['closing'] : null;
  return isRecord(closing) && 'work' in closing ? closing['work'] : work;
};

/** Makes the reader of a kind's work: it returns null where a record holds none, by the members that every work of the kind has. */
export const workReader = <W extends object>(...members: readonly (keyof W)[]): ((work: unknown) => W | null) => {
  const isWork = (work: unknown): work is W => isRecord(work) && members.every((member) => member in work);
  return (stored) => {
    const work = unwrapped(stored);
    return isWork(work) ? work : null;
  };
};

/** What the record of a resource shows to clients. */
export const publicFieldsOf = ({
  publicFields,
}: Pick<ResourceRecord, 'publicFields'>): Readonly<Record<string, unknown>> => {
  if (!isRecord(publicFields)) throw new Error('the public fields of a resource are no object');
  return publicFields;
};
