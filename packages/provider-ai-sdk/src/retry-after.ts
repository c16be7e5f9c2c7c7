import { asArray, asObject, asText, type UntrustedObject } from './json-value.ts';

/** An upstream that asks for longer than a day is not asking the caller to wait. */
const retryAfterMsMax = 86_400_000;

const numberOf = (value: unknown): number | undefined =>
  typeof value === 'string' && /^\d{1,12}(\.\d{1,9})?$/.test(value.trim()) ? Number(value) : undefined;

/** Google's `RetryInfo` among the details of an error: `{ retryDelay: '3s' }`. */
const delayMsOf = (error: UntrustedObject | undefined): number | undefined => {
  const delays = asArray(error?.['details']).flatMap((detail) => asText(asObject(detail)?.['retryDelay']) ?? []);
  const seconds = numberOf(delays[0]?.replace(/s$/, ''));
  return seconds === undefined ? undefined : seconds * 1_000;
};

/** When the upstream says to come back: by its headers (names in lower case), or inside its error. */
export const readRetryAfterMs = (
  headers: UntrustedObject,
  error: UntrustedObject | undefined,
  nowMs: number,
): number | undefined => {
  const seconds = numberOf(headers['retry-after']);
  const date = asText(headers['retry-after']);
  const dateMs = date === undefined || seconds !== undefined ? Number.NaN : Date.parse(date) - nowMs;
  const headerMs = numberOf(headers['retry-after-ms']) ?? (seconds === undefined ? dateMs : seconds * 1_000);
  const waitMs = Number.isNaN(headerMs) ? delayMsOf(error) : headerMs;
  return waitMs === undefined ? undefined : Math.min(Math.max(0, Math.ceil(waitMs)), retryAfterMsMax);
};
