import { checkConfiguration } from '@tollgate/contract/configuration';
import { checkout, type CheckoutAnswer, type CheckoutInput } from './checkout.ts';
import { customerOf } from './customer.ts';
import type { Desk } from './desk.ts';
import { meterUsage, type MeterAnswer, type MeterInput } from './meter.ts';
import { reconcile, type ReconcileInput, type ReconcileReport } from './reconcile.ts';
import { optionsSound, type StripePaymentsOptions } from './stripe-options.ts';
import { topUp, type TopUpAnswer } from './top-up.ts';
import { receiveWebhook } from './webhook.ts';

/** The payments of a gateway by Stripe. */
export interface StripePayments {
  /** Opens a page of Stripe on which a customer buys a pack. */
  readonly checkout: (input: CheckoutInput) => Promise<CheckoutAnswer>;
  /**
   * The webhook endpoint: give it the request with its body unread. It returns 200 only after the credits are committed, and rejects
   * where the storage or Stripe fails, so that Stripe sends the event again.
   */
  readonly handler: (request: Request) => Promise<Response>;
  /** Buys credits with the kept card where the balance is below the account's rule. */
  readonly topUp: (account: string) => Promise<TopUpAnswer>;
  /** The customer of an account at Stripe, created at the first call; null where there is no such account. */
  readonly customer: (account: string) => Promise<string | null>;
  /** Reports charges to a meter of Stripe, for hosts that bill afterwards. */
  readonly meterUsage: (input: MeterInput) => Promise<MeterAnswer>;
  /** Gives what lost events left out. */
  readonly reconcile: (input: ReconcileInput) => Promise<ReconcileReport>;
}

/** Sells the credits of a gateway by Stripe. Throws a `ConfigurationError` where an option cannot be meant. */
export const stripePayments = (options: StripePaymentsOptions): StripePayments => {
  checkConfiguration('stripePayments', optionsSound, options);
  const desk: Desk = { stripe: options.stripe, payments: options.gateway.payments, options };
  return {
    checkout: (input) => checkout(desk, input),
    handler: (request) => receiveWebhook(desk, request),
    topUp: (account) => topUp(desk, account),
    customer: (account) => customerOf(desk, account),
    meterUsage: (input) => meterUsage(desk, input),
    reconcile: (input) => reconcile(desk, input),
  };
};
