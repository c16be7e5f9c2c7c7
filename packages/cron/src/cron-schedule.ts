import { isDay, yearsScanned } from './calendar.ts';
import { parseField, type CronField, type FieldBounds } from './cron-field.ts';

/** A parsed schedule. */
export interface CronSchedule {
  readonly minute: CronField;
  readonly hour: CronField;
  readonly dayOfMonth: CronField;
  readonly month: CronField;
  readonly weekday: CronField;
}

/** Why a text is no schedule. */
export type CronRefusal = 'too_long' | 'not_five_fields' | 'bad_field' | 'never_runs';

/** Thrown for a text that is no schedule; told by `code`. */
export class CronSyntaxError extends Error {
  override readonly name = 'CronSyntaxError';
  readonly code = 'invalid_schedule';
  readonly reason: CronRefusal;

  constructor(reason: CronRefusal, message: string) {
    super(message);
    this.reason = reason;
  }
}

/** Characters of a schedule at the most. */
export const scheduleCharsMax = 256;

const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const weekdays = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];
const plain = { names: [], nameOffset: 0 };

const fields: readonly (readonly [string, FieldBounds])[] = [
  ['minute', { min: 0, max: 59, ...plain }],
  ['hour', { min: 0, max: 23, ...plain }],
  ['day of month', { min: 1, max: 31, ...plain }],
  ['month', { min: 1, max: 12, names: months, nameOffset: 1 }],
  ['weekday', { min: 0, max: 7, names: weekdays, nameOffset: 0, nameOfMax: 'SUN' }],
];

const parseAt = (texts: readonly string[], at: number): CronField => {
  const [name, bounds] = fields[at] ?? ['', { min: 0, max: 0, ...plain }];
  const field = parseField(texts[at] ?? '', bounds);
  if (field === null) throw new CronSyntaxError('bad_field', `the ${name} field is not valid`);
  return field;
};

/** 7 is Sunday, too. */
const withSunday = (weekday: CronField): CronField =>
  weekday.values.has(7) ? { ...weekday, values: new Set([...weekday.values].map((day) => day % 7)) } : weekday;

const runsOnAnyDay = (schedule: CronSchedule): boolean => {
  // Every combination of leap years and weekdays comes round within the years that are scanned from here.
  const from = Date.UTC(2095, 0, 1);
  const to = Date.UTC(2095 + yearsScanned + 28, 0, 1);
  for (let dayMs = from; dayMs < to; dayMs += 86_400_000) if (isDay(schedule, dayMs)) return true;
  return false;
};

// triggers:schedule:dialect
/**
 * Parses minute, hour, day of month, month and weekday, strictly: `*`, lists, ranges, steps,
 * three-letter names in any case, 7 for Sunday. `SUN` begins a range as 0 and ends one as 7. Throws `CronSyntaxError` for
 * anything else, and for a schedule that never runs, such as 31 February.
 */
export const parseCron = (text: string): CronSchedule => {
  if (text.length > scheduleCharsMax)
    throw new CronSyntaxError('too_long', `longer than ${scheduleCharsMax} characters`);
  const texts = text.split(/[ \t\n\r]+/).filter((piece) => piece !== '');
  if (texts.length !== fields.length)
    throw new CronSyntaxError(
      'not_five_fields',
      'a schedule has five fields: minute, hour, day of month, month, weekday',
    );
  const schedule: CronSchedule = {
    minute: parseAt(texts, 0),
    hour: parseAt(texts, 1),
    dayOfMonth: parseAt(texts, 2),
    month: parseAt(texts, 3),
    weekday: withSunday(parseAt(texts, 4)),
  };
  if (!runsOnAnyDay(schedule)) throw new CronSyntaxError('never_runs', 'the schedule never runs');
  return schedule;
};
