import type { CronField } from './cron-field.ts';

/** The fields that choose a day. */
export interface DayFields {
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
}

/** How far ahead a run is looked for: 29 February can be eight years away, across a year like 2100. */
export const yearsScanned = 9;

export const dayMs = 86_400_000;

// triggers:schedule:day-or-weekday
/**
 * Whether a calendar day, given as its midnight in UTC, is one of the schedule's. Where both fields of the day are
 * restricted, either is enough.
 */
export const isDay = ({ dayOfMonth, month, weekday }: DayFields, midnightMs: number): boolean => {
  const date = new Date(midnightMs);
  if (!month.values.has(date.getUTCMonth() + 1)) return false;
  const inMonth = dayOfMonth.values.has(date.getUTCDate());
  const inWeek = weekday.values.has(date.getUTCDay());
  return dayOfMonth.isStar || weekday.isStar ? inMonth && inWeek : inMonth || inWeek;
};
