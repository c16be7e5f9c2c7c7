import type { CommandBody } from './command.ts';
import type { Draft } from './draft.ts';
import { moneyTheme } from './money-theme.ts';
import { collect, compensate, deposit, fail, open, pay, settle, spend } from './random-money.ts';
import type { Theme } from './theme.ts';

const takings = [pay, pay, pay, pay, pay, spend, collect, collect, collect] as const;
const others = [open, open, open, fail, fail, settle, compensate, deposit, deposit] as const;

/** How often each kind comes up: holds that end, so that what was reserved when a refund came is free later. */
const kinds = [...takings, ...others] as const;

/** One account has them nearly all, so that they meet. */
const ofOneAccount = (body: CommandBody, { random, prefix }: Draft): CommandBody =>
  (body.kind === 'collect' || body.kind === 'deposit') && random.int(8) > 0
    ? { ...body, accountId: `${prefix}a1` }
    : body;

const fresh = (draft: Draft): CommandBody =>
  draft.commands.length === 0 ? pay(draft) : ofOneAccount((kinds[draft.random.int(kinds.length)] ?? pay)(draft), draft);

/** Payments, their refunds and disputes, and what accounts owe. */
export const paymentTheme: Theme = { ...moneyTheme, lengthMin: 24, fresh };
