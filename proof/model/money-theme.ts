import type { CommandBody } from './command.ts';
import type { Draft } from './draft.ts';
import {
  access,
  capture,
  charge,
  collect,
  compensate,
  deposit,
  doubt,
  extend,
  fail,
  open,
  pay,
  price,
  purge,
  renew,
  resolve,
  retry,
  settle,
} from './random-money.ts';
import type { Theme } from './theme.ts';

/** How often each kind comes up. */
const shares: readonly (readonly [(draft: Draft) => CommandBody, number])[] = [
  [open, 6],
  [settle, 5],
  [doubt, 3],
  [resolve, 3],
  [retry, 4],
  [capture, 3],
  [extend, 2],
  [fail, 2],
  [deposit, 2],
  [pay, 2],
  [collect, 1],
  [purge, 2],
  [compensate, 1],
  [renew, 1],
  [price, 1],
  [charge, 1],
];
const kinds = shares.flatMap(([kind, share]) => Array.from({ length: share }, () => kind));

const fresh = (draft: Draft): CommandBody => {
  if (draft.commands.length === 0)
    return { kind: 'deposit', accountId: `${draft.prefix}a1`, amount: 10 + draft.random.int(90), reference: 'd0' };
  if (draft.opened === 0 && draft.random.int(2) === 0) return open(draft);
  if (draft.random.int(50) === 0) return access(draft);
  return (kinds[draft.random.int(kinds.length)] ?? open)(draft);
};

const slotsPerHistory = 8;
const exchanges = Array.from({ length: slotsPerHistory }, () => undefined);

/** Credits, identities and exchanges that are answered at once. */
export const moneyTheme: Theme = {
  kinds: () => exchanges,
  lengthMin: 4,
  lengthMore: 24,
  fresh,
  waitMs: (moment) => {
    const kind = moment % 16;
    return kind === 0 ? Math.floor(moment / 16) % 20 : kind < 4 ? 1 : 0;
  },
  goesByModel: false,
  comesAgain: () => true,
};
