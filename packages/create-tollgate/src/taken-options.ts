import { choiceNames } from './choices.ts';
import { CreateError } from './create-error.ts';

/**
 * Throws where npm took options for its own, as it does without `--` before them: the command gets none of them, or their values as
 * words. npm names what it took in `npm_config_…`, with `true` where it left the value behind.
 */
export const refuseTakenOptions = (
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): void => {
  const taken = choiceNames.flatMap((name) => {
    const value = environment[`npm_config_${name}`];
    const isGiven = args.some((word) => word === `--${name}` || word.startsWith(`--${name}=`));
    return value === undefined || isGiven ? [] : [`--${name} ${value === 'true' ? '…' : value}`];
  });
  if (taken.length === 0) return;
  const folder = args.find((word) => !word.startsWith('-')) ?? 'my-gateway';
  throw new CreateError(
    `npm took these options for its own: ${taken.join(', ')}. Put -- before the options, as in npm create tollgate ${folder} -- ${taken.join(' ')}`,
  );
};
