import {
  also,
  callable,
  checkOf,
  credential,
  faultAt,
  flag,
  foreign,
  oneOf,
  optionsCheck,
  required,
  table,
  text,
  whole,
} from '@tollgate/contract/configuration';
import { microsFromCredits, type Payments } from '@tollgate/engine';
import type { EntryRecord } from '@tollgate/storage';
import type Stripe from 'stripe';

/** Credits that are sold at a price. */
export interface Pack {
  /** Credits, as a decimal text. */
  readonly credits: string;
  /** The price in the smallest unit of the currency: cents of `usd`, whole yen of `jpy`. */
  readonly amount: number;
  /** Three small letters, as Stripe writes it. */
  readonly currency: string;
  /** What the customer reads on the page of Stripe. */
  readonly name: string;
}

/** When an account buys credits by itself. */
export interface TopUpRule {
  /** The free balance below which it does, in credits. */
  readonly below: string;
  /** The pack that it buys. */
  readonly pack: string;
  /** What may be charged in a month of UTC, in the smallest unit of the pack's currency. */
  readonly monthAmountMax: number;
}

/** A top-up that went wrong, for the host to tell its customer. */
export interface TopUpProblem {
  readonly account: string;
  readonly kind: 'refused' | 'authentication_required';
  readonly paymentIntent: string | null;
  /** Stripe's word for it, such as `card_declined`. */
  readonly code: string;
}

/** A payment that Stripe has and that becomes no credits. */
export interface PaymentProblem {
  readonly kind: 'mismatch' | 'unknown_order' | 'missing_account' | 'conflict' | 'too_large';
  readonly paymentIntent: string;
  readonly order: string;
}

/** What of a gateway the payments use: `createGateway` returns it. */
export interface PaymentGateway {
  readonly payments: Payments;
  readonly admin: {
    readonly readStatement: (accountId: string, beforeSeq?: number) => Promise<readonly EntryRecord[]>;
  };
}

export interface StripePaymentsOptions {
  /** The client of Stripe's library, with your secret key. */
  readonly stripe: Stripe;
  readonly gateway: PaymentGateway;
  /** What is sold, by your names. */
  readonly packs: Readonly<Record<string, Pack>>;
  /** The signing secret of the webhook endpoint, `whsec_…`. */
  readonly webhookSecret: string;
  /** Whether events of real money are accepted, or those of test mode: the others are refused. */
  readonly live: boolean;
  /** The rule of an account, or null where it buys nothing by itself. Without it, none does. */
  readonly topUpOf?: (account: string) => TopUpRule | null | Promise<TopUpRule | null>;
  readonly onTopUpProblem?: (problem: TopUpProblem) => void | Promise<void>;
  readonly onPaymentProblem?: (problem: PaymentProblem) => void | Promise<void>;
  /** Whether an account owes the credits of a refund that it has spent (`owe`, the default), or you bear them (`forgive`). */
  readonly spentRefunds?: 'owe' | 'forgive';
  /** How old, and how far ahead, the time of a signature may be (default 300 s). */
  readonly toleranceSeconds?: number;
  /** The wall clock; by default `Date.now`. */
  readonly nowMs?: () => number;
}

export const toleranceSecondsDefault = 300;
const toleranceSecondsMax = 3_600;
const nameCharsMax = 200;

const isCredits = (value: unknown): boolean => {
  try {
    return typeof value === 'string' && microsFromCredits(value) > 0n;
  } catch {
    return false;
  }
};

const credits = checkOf<string>((value, place) =>
  isCredits(value) ? [] : faultAt(place, 'is no amount', "is a decimal text of credits above 0, such as '10.5'"),
);

const packCheck = optionsCheck<Pack>({
  credits: required(credits),
  amount: required(whole({ min: 1, max: 99_999_999_999 })),
  currency: required(
    also(text({ charsMax: 3, accepted: 'is a currency such as usd' }), (value: string, place) =>
      /^[a-z]{3}$/u.test(value) ? [] : faultAt(place, 'is no currency', 'is three small letters such as usd'),
    ),
  ),
  name: required(text({ charsMax: nameCharsMax, accepted: `is a text of 1 to ${nameCharsMax} characters` })),
});

export const optionsSound = optionsCheck<StripePaymentsOptions>({
  stripe: required(foreign()),
  gateway: required(foreign()),
  packs: required(table(packCheck)),
  webhookSecret: required(credential()),
  live: required(flag()),
  topUpOf: callable(),
  onTopUpProblem: callable(),
  onPaymentProblem: callable(),
  spentRefunds: oneOf('owe', 'forgive'),
  toleranceSeconds: whole({ min: 1, max: toleranceSecondsMax }),
  nowMs: callable(),
});
