import type { WireHeaders } from './post-json.ts';

/** An upstream that asks for longer than a day is not asking the caller to wait. */
const retryAfterMsMax = 86_400_000;

const numberOf = (value: string | string[] | undefined): number | undefined =>
  typeof value === 'string' && /^\d{1,12}(\.\d{1,6})?$/.test(value.trim()) ? Number(value) : undefined;

/** When the upstream says to come back: `retry-after-ms`, or `retry-after` as seconds or as an HTTP date. */
export const readRetryAfterMs = (headers: WireHeaders, nowMs: number): number | undefined => {
  const seconds = numberOf(headers['retry-after']);
  const date = headers['retry-after'];
  const dateMs = typeof date === 'string' && seconds === undefined ? Date.parse(date) - nowMs : undefined;
  const waitMs = numberOf(headers['retry-after-ms']) ?? (seconds === undefined ? dateMs : seconds * 1_000);
  if (waitMs === undefined || Number.isNaN(waitMs)) return undefined;
  return Math.min(Math.max(0, Math.ceil(waitMs)), retryAfterMsMax);
};
