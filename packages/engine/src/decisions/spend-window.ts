import { nextRun, parseCron } from '@tollgate/cron';
import type { CapRecord } from '@tollgate/storage';

/** When the windows of each length end, as a schedule: at each hour, and at midnight of each day, of Sunday and of the last day of a month. */
const ends = {
  hour: parseCron('0 * * * *'),
  day: parseCron('0 0 * * *'),
  week: parseCron('0 0 * * 1'),
  month: parseCron('0 0 1 * *'),
} as const;

/** Windows that are remembered: to ask a calendar costs more than the rest of a step. */
const rememberedMax = 1_024;

/** The window that was last asked for, of each length and zone. `fromMs` is an instant in it. */
const remembered = new Map<string, { readonly fromMs: number; readonly endMs: number | null }>();

const remember = (name: string, fromMs: number, endMs: number | null): number | null => {
  if (remembered.size >= rememberedMax) remembered.clear();
  remembered.set(name, { fromMs, endMs });
  return endMs;
};

/** The end of the window in which an instant lies, by the clocks of the cap's zone; null where the window is all time. */
export const windowEndMs = (
  { window, timeZone }: Pick<CapRecord, 'window' | 'timeZone'>,
  nowMs: number,
): number | null => {
  if (window === 'total') return null;
  const name = `${window} ${timeZone}`;
  const last = remembered.get(name);
  if (last !== undefined && last.endMs !== null && nowMs >= last.fromMs && nowMs < last.endMs) return last.endMs;
  return remember(name, nowMs, nextRun(ends[window], timeZone, nowMs));
};

/** The record of what a key spends in the window in which an instant lies. The end is part of the id, so that no window is reset. */
export const keySpendId = (keyId: string, { window }: Pick<CapRecord, 'window'>, endsAtMs: number | null): string =>
  `${keyId}:${window}:${endsAtMs ?? 'all'}`;

/** The record of what a token spends in all. */
export const tokenSpendId = (tokenId: string): string => `token:${tokenId}`;
