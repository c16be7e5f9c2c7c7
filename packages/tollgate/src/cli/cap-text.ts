import { microsFromCredits, type KeyTerms } from '@tollgate/engine';
import { acceptedWords } from '@tollgate/contract/configuration';

const windows = ['hour', 'day', 'week', 'month', 'total'] as const;

const capForm = 'CREDITS/WINDOW or CREDITS/WINDOW@ZONE, such as 50/month@Europe/Berlin';

/** Reads `50/month@Europe/Berlin`. Throws what `refuse` makes of a text that is no cap. */
export const parseCap = (text: string, refuse: (fault: string) => Error): NonNullable<KeyTerms['cap']> => {
  const [, credits = '', word = '', timeZone] = /^([^/]+)\/(\w+)(?:@(.+))?$/.exec(text) ?? [];
  if (credits === '') throw refuse(`has ${text}, and takes ${capForm}`);
  const window = windows.find((known) => known === word);
  if (window === undefined) throw refuse(`has the window ${word}; accepted ${acceptedWords(word, windows)}`);
  try {
    return { amountMicros: microsFromCredits(credits), window, timeZone };
  } catch {
    throw refuse(`has ${credits} credits, and takes an amount with at most six decimals`);
  }
};
