export { stripePayments, type StripePayments } from './stripe-payments.ts';
export type {
  Pack,
  PaymentGateway,
  PaymentProblem,
  StripePaymentsOptions,
  TopUpProblem,
  TopUpRule,
} from './stripe-options.ts';
export type { CheckoutAnswer, CheckoutInput } from './checkout.ts';
export type { MeterAnswer, MeterInput } from './meter.ts';
export type { ReconcileInput, ReconcileReport } from './reconcile.ts';
export type { TopUpAnswer } from './top-up.ts';
