import { asArray, asObject, asText } from './json-value.ts';
import type { WireHeaders } from './wire-exchange.ts';

/** An upstream that asks for longer than a day is not asking the caller to wait. */
const retryAfterMsMax = 86_400_000;

const bounded = (waitMs: number): number => Math.min(Math.max(0, Math.ceil(waitMs)), retryAfterMsMax);

/** `RetryInfo.retryDelay` of an error's details: seconds with an `s`, as in `3.5s`. */
export const readRetryDelayMs = (details: unknown): number | undefined => {
  for (const value of asArray(details)) {
    const detail = asObject(value);
    const delay = asText(detail?.['retryDelay']);
    if (delay !== undefined && /^\d{1,9}(\.\d{1,9})?s$/.test(delay)) return bounded(Number(delay.slice(0, -1)) * 1_000);
  }
  return undefined;
};

/** `retry-after` as seconds or as an HTTP date. */
export const readRetryAfterMs = (headers: WireHeaders, nowMs: number): number | undefined => {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  const waitMs = /^\d{1,12}(\.\d{1,6})?$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - nowMs;
  return Number.isNaN(waitMs) ? undefined : bounded(waitMs);
};
