import type { CommandBody } from './command.ts';
import type { Draft } from './draft.ts';
import { moneyTheme } from './money-theme.ts';
import { capture, deposit, doubt, extend, fail, open, purge, resolve, retry, settle } from './random-money.ts';
import { places } from './slot.ts';
import type { Theme } from './theme.ts';

/** Mostly of one key, near to what a few operations take; now and then none. */
const cap = ({ random, prefix }: Draft): CommandBody => ({
  kind: 'cap',
  keyId: prefix + (places[Math.max(0, random.int(5) - 2)] ?? places[0]).keyId,
  amount: random.int(6) === 0 ? null : random.int(80),
  window: random.int(3) === 0 ? 'hour' : 'total',
});

const shares: readonly (readonly [(draft: Draft) => CommandBody, number])[] = [
  [open, 8],
  [settle, 4],
  [fail, 3],
  [capture, 3],
  [extend, 3],
  [doubt, 2],
  [resolve, 2],
  [retry, 1],
  [purge, 2],
  [cap, 2],
  [deposit, 1],
];
const kinds = shares.flatMap(([kind, share]) => Array.from({ length: share }, () => kind));

/** The first account can pay for all that the caps let in. */
const fresh = (draft: Draft): CommandBody => {
  const { commands, random, prefix } = draft;
  if (commands.length === 0)
    return { kind: 'deposit', accountId: `${prefix}a1`, amount: 60 + random.int(300), reference: 'd0' };
  return commands.length === 1 ? cap(draft) : (kinds[random.int(kinds.length)] ?? open)(draft);
};

/** Keys with a cap, which is set, raised, lowered and taken away while operations are under way, of which some come by a token. */
export const capTheme: Theme = { ...moneyTheme, lengthMin: 8, isCapped: true, fresh };
