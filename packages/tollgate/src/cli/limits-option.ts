import type { CallerLimits } from '@tollgate/engine';
import { textOption, UsageError, type CommandInput } from './command.ts';

/** The word that takes a limit away. */
const none = 'none';

const rateNames = ['requests-per-minute', 'tokens-per-minute', 'concurrent-requests'] as const;

const rateOption = (input: CommandInput, name: (typeof rateNames)[number]): number | undefined => {
  const text = textOption(input, name);
  if (text === undefined || text === none) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text))
    throw new UsageError(`--${name} has ${text}, and takes a whole number from 1, or none`);
  return Number(text);
};

/** The limits that are named, in place of all that there were; undefined where none is, null where each is none. */
export const limitsOption = (input: CommandInput): CallerLimits | null | undefined => {
  const limits = {
    requestsPerMinute: rateOption(input, 'requests-per-minute'),
    tokensPerMinute: rateOption(input, 'tokens-per-minute'),
    concurrentRequests: rateOption(input, 'concurrent-requests'),
  };
  const isNamed = rateNames.some((name) => textOption(input, name) !== undefined);
  const text = textOption(input, 'limits');
  if (text !== undefined && (text !== none || isNamed))
    throw new UsageError('--limits takes none, and no other limit beside it');
  if (text === undefined && !isNamed) return undefined;
  return Object.values(limits).some((rate) => rate !== undefined) ? limits : null;
};

/** A record's line, and below it its limits where it has some. */
export const withLimitsLine = (line: string, limits: CallerLimits | null): string =>
  limits === null ? line : `${line}\n  limits   ${JSON.stringify(limits)}`;
