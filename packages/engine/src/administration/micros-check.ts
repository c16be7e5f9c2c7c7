import { cameIn, checkOf, faultAt, type OptionCheck } from '@tollgate/contract/configuration';

/**
 * An amount of micro-credits; `range` ends the sentence of what is accepted. A number is refused, since it may have been rounded,
 * and cannot be added to a bigint.
 */
export const microsCheck = (isSound: (value: bigint) => boolean, range: string): OptionCheck<bigint> =>
  checkOf((value, place) => {
    if (typeof value === 'bigint' && isSound(value)) return [];
    const came = typeof value === 'number' ? `is the number ${value}` : cameIn(value);
    return faultAt(place, came, `is a bigint of micro-credits, as microsFromCredits('2.5') returns${range}`);
  });
