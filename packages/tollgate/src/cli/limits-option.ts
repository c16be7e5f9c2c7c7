import type { CallerLimits } from '@tollgate/engine';
import { textOption, UsageError, type CommandInput } from './command.ts';

const rateOption = (input: CommandInput, name: string): number | undefined => {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError(`--${name} has ${text}, and takes a whole number from 1`);
  return Number(text);
};

/** The limits that are named, in place of all that there were; undefined where none is. */
export const limitsOption = (input: CommandInput): CallerLimits | null | undefined => {
  const limits = {
    requestsPerMinute: rateOption(input, 'requests-per-minute'),
    tokensPerMinute: rateOption(input, 'tokens-per-minute'),
    concurrentRequests: rateOption(input, 'concurrent-requests'),
  };
  const isNamed = Object.values(limits).some((rate) => rate !== undefined);
  const text = textOption(input, 'limits');
  if (text !== undefined && (text !== 'none' || isNamed))
    throw new UsageError('--limits takes none, and no other limit beside it');
  if (text === 'none') return null;
  return isNamed ? limits : undefined;
};

/** A record's line, and below it its limits where it has some. */
export const withLimitsLine = (line: string, limits: CallerLimits | null): string =>
  limits === null ? line : `${line}\n  limits   ${JSON.stringify(limits)}`;
