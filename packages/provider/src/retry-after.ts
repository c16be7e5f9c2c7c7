import { asArray, asObject, asText } from './untrusted-value.ts';

/** An upstream that asks for longer than a day is not asking the caller to wait. */
const retryAfterMsMax = 86_400_000;

const bounded = (waitMs: number): number => Math.min(Math.max(0, Math.ceil(waitMs)), retryAfterMsMax);

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,12}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : undefined;

/**
 * When the headers of an answer (names in lower case) say to come back, in milliseconds from now and a day at the most:
 * `retry-after-ms`, or `retry-after` as seconds or as an HTTP date. Undefined where they do not say.
 */
export const readRetryAfterMs = (headers: { readonly [name: string]: unknown }, nowMs: number): number | undefined => {
  const seconds = numberOf(headers['retry-after']);
  const date = asText(headers['retry-after']);
  const dateMs = date === undefined || seconds !== undefined ? Number.NaN : Date.parse(date) - nowMs;
  const waitMs = numberOf(headers['retry-after-ms']) ?? (seconds === undefined ? dateMs : seconds * 1_000);
  return Number.isNaN(waitMs) ? undefined : bounded(waitMs);
};

/**
 * When an error of Google's form says to come back, in milliseconds and a day at the most: `RetryInfo` among its details, with
 * a `retryDelay` of seconds with an `s`, as in `3.5s`. Undefined where it does not say.
 */
export const readRetryDelayMs = (details: unknown): number | undefined => {
  for (const detail of asArray(details)) {
    const delay = asText(asObject(detail)?.['retryDelay']);
    if (delay !== undefined && /^\d{1,9}(\.\d{1,9})?s$/.test(delay)) return bounded(Number(delay.slice(0, -1)) * 1_000);
  }
  return undefined;
};
