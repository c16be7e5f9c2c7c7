import {
  cameIn,
  ConfigurationError,
  faultAt,
  nullable,
  optionsCheck,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import type { CallerLimits, LevelLimits } from '@tollgate/engine';

const limit = whole({ min: 1 });

const callerLimits = nullable(
  optionsCheck<CallerLimits>({ requestsPerMinute: limit, tokensPerMinute: limit, concurrentRequests: limit }),
);

/** What a function of the host's may return; null for no limits. */
const levelLimits: OptionCheck<LevelLimits> = optionsCheck<LevelLimits>({
  key: callerLimits,
  project: callerLimits,
  account: callerLimits,
});

/** Whether an object can be read by the names of its members: a promise, a map or a list has none, and would limit nothing. */
const isRecord = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || (typeof prototype === 'object' && Object.getPrototypeOf(prototype) === null);
};

const isCallerLimits = (value: unknown): boolean => {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'object') return false;
  let isNamed = false;
  for (const name in value) {
    if (name !== 'requestsPerMinute' && name !== 'tokensPerMinute' && name !== 'concurrentRequests') return false;
    isNamed = true;
  }
  return isNamed || isRecord(value);
};

/** The same rules as those of the description, without its lists of faults: it is asked for every request. */
const isLevelLimits = (value: LevelLimits): boolean => {
  if (typeof value !== 'object') return false;
  let isNamed = false;
  for (const name in value) {
    if (name !== 'key' && name !== 'project' && name !== 'account') return false;
    isNamed = true;
  }
  if (!isNamed && !isRecord(value)) return false;
  return isCallerLimits(value.key) && isCallerLimits(value.project) && isCallerLimits(value.account);
};

/** A promise that is not waited for and rejects would end the process. */
const ignoreRejection = (value: unknown): void => {
  if (value instanceof Promise) value.catch(() => undefined);
};

/**
 * Throws for what a function of the host's returned and nothing here would read, such as a misspelt limit or a promise: it would
 * limit nothing, and no one would know.
 */
export const checkLimits = (given: LevelLimits): void => {
  if (isLevelLimits(given)) return;
  ignoreRejection(given);
  const place = 'the result of limitsOf';
  const faults = levelLimits.faultsOf(given, place);
  const unnamed = faultAt(place, cameIn(given), 'is an object with key, project and account, or null');
  throw new ConfigurationError('limitsOf', faults.length > 0 ? faults : unnamed);
};
