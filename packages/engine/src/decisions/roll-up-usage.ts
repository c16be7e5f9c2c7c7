import {
  amountMicrosMax,
  usageRollUps,
  type Key,
  type Records,
  type UsageAmounts,
  type UsageDayRecord,
  type UsageHourRecord,
  type UsageLineRecord,
  type Write,
} from '@tollgate/storage';
import type { Step } from './step.ts';

const startOf = (atMs: number, lengthMs: number): number => Math.floor(atMs / lengthMs) * lengthMs;

/** The hour of a line, without amounts. The id has every part that tells rows apart. */
const hourOf = (line: UsageLineRecord): UsageHourRecord => {
  const { accountId, projectId, keyId, model, provider } = line;
  const startMs = startOf(line.createdAtMs, usageRollUps.usageHour.lengthMs);
  const id = JSON.stringify([startMs, accountId, projectId, keyId, model, provider]);
  return { id, accountId, projectId, keyId, model, provider, startMs, ...noAmounts };
};

const dayOf = ({ accountId, model, createdAtMs }: UsageLineRecord): UsageDayRecord => {
  const startMs = startOf(createdAtMs, usageRollUps.usageDay.lengthMs);
  return { id: JSON.stringify([startMs, accountId, model]), accountId, model, startMs, ...noAmounts };
};

const noAmounts: UsageAmounts = { requests: 0, chargedMicros: 0n, correctedMicros: 0n, units: {} };

const isWithin = (micros: bigint): boolean => micros <= amountMicrosMax && micros >= -amountMicrosMax;

const isStorable = ({ requests, chargedMicros, correctedMicros, units }: UsageAmounts): boolean =>
  isWithin(chargedMicros) &&
  isWithin(correctedMicros) &&
  [requests, ...Object.values(units)].every(Number.isSafeInteger);

const added = <T extends UsageAmounts>(row: T, line: UsageAmounts): T => {
  const units: Record<string, number> = { ...row.units };
  for (const [unit, quantity] of Object.entries(line.units)) units[unit] = (units[unit] ?? 0) + quantity;
  return {
    ...row,
    requests: row.requests + line.requests,
    chargedMicros: row.chargedMicros + line.chargedMicros,
    correctedMicros: row.correctedMicros + line.correctedMicros,
    units,
  };
};

const keysOf = (lines: readonly UsageLineRecord[]): readonly Key[] => [
  ...lines.map(({ id }) => ({ table: 'usageLine', id }) as const),
  ...[...new Set(lines.map((line) => hourOf(line).id))].map((id) => ({ table: 'usageHour', id }) as const),
  ...[...new Set(lines.map((line) => dayOf(line).id))].map((id) => ({ table: 'usageDay', id }) as const),
];

interface Sums {
  readonly hours: Map<string, UsageHourRecord>;
  readonly days: Map<string, UsageDayRecord>;
}

/** Adds one line to its hour and day. False where a sum would be beyond what a row holds: the line stays, and counts as a line. */
const addLine = (records: Records, { hours, days }: Sums, line: UsageLineRecord): boolean => {
  const [hour, day] = [hourOf(line), dayOf(line)];
  const nextHour = added(hours.get(hour.id) ?? records.get('usageHour', hour.id) ?? hour, line);
  const nextDay = added(days.get(day.id) ?? records.get('usageDay', day.id) ?? day, line);
  if (!isStorable(nextHour) || !isStorable(nextDay)) return false;
  hours.set(hour.id, nextHour);
  days.set(day.id, nextDay);
  return true;
};

/**
 * Adds lines of usage to their hours and days and deletes them, in one step, so that each counts once however often it is rolled up
 * and whichever process dies. A line that another process has rolled up is gone, and is left out. The answer is how many were rolled up.
 */
export const rollUpUsage = (lines: readonly UsageLineRecord[]): Step<number> => ({
  keys: keysOf(lines),
  decide: (records) => {
    const sums: Sums = { hours: new Map(), days: new Map() };
    const rolled = lines.filter(
      (line) => records.get('usageLine', line.id) !== undefined && addLine(records, sums, line),
    );
    const writes: readonly Write[] = [
      ...[...sums.hours.values()].map((record) => ({ kind: 'put', table: 'usageHour', record }) as const),
      ...[...sums.days.values()].map((record) => ({ kind: 'put', table: 'usageDay', record }) as const),
      ...rolled.map(({ id }) => ({ kind: 'delete', table: 'usageLine', id }) as const),
    ];
    return { writes, answer: rolled.length };
  },
});
