import { ConfigurationError, faultAt } from '@tollgate/contract/configuration';

/** Times below it, of March 1973 as milliseconds, are those of the years up to 5138 as seconds. */
const secondsBelow = 100_000_000_000;
/** A second below it would be before the year 2001, and may as well be a number of milliseconds. */
const secondsFrom = 1_000_000_000;

const dateOf = (ms: number): string => {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'no date' : date.toISOString();
};

/** Refuses an expiry that has passed: names the field, the time that it is, and its unit where the number is one of seconds. */
export const pastExpiryError = (method: string, expiresAtMs: number): ConfigurationError => {
  const hint =
    expiresAtMs >= secondsFrom && expiresAtMs < secondsBelow
      ? `; it looks like seconds, which are ${expiresAtMs * 1_000} milliseconds`
      : '';
  return new ConfigurationError(
    method,
    faultAt(
      'expiresAtMs',
      `is ${expiresAtMs}, the time ${dateOf(expiresAtMs)}, which is past`,
      `is a time in the future, in milliseconds since 1970${hint}`,
    ),
  );
};
