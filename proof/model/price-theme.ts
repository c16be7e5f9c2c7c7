import type { CommandBody } from './command.ts';
import type { Draft } from './draft.ts';
import { moneyTheme } from './money-theme.ts';
import { charge, price, sell } from './random-money.ts';
import type { Theme } from './theme.ts';

const kinds = [sell, sell, sell, sell, sell, sell, charge, price] as const;

const fresh = (draft: Draft): CommandBody => (kinds[draft.random.int(kinds.length)] ?? sell)(draft);

/** What operations cost: by length, plan, customer, mark-up, provider, batch and service tier together. */
export const priceTheme: Theme = { ...moneyTheme, lengthMin: 8, lengthMore: 16, fresh };
