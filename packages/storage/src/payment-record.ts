/**
 * A payment outside that was turned into credits (`id` is the reference under which the payment service knows it, so that no payment
 * is credited to two accounts).
 */
export interface PaymentRecord {
  readonly id: string;
  readonly accountId: string;
  readonly creditedMicros: bigint;
  /** What was to be taken back for refunds and disputes when it was looked up last; never more than was credited. */
  readonly backMicros: bigint;
  /** What of it was taken, or is owed by the account; less than `backMicros` where the host bears the rest. */
  readonly takenMicros: bigint;
  /** Raised by every change, so that what was read before a change does not undo it. */
  readonly version: number;
  /** What told of the last change: the id of an event, or the name of a job. */
  readonly notice: string;
  readonly createdAtMs: number;
}

/** What an account owes because its balance did not cover a correction (`id` is the account's). Credits that come in pay it first. */
export interface DebtRecord {
  readonly id: string;
  readonly owedMicros: bigint;
}

/** What a customer agreed to pay for credits, written before the payment service is asked (`id` is the account's and the reference). */
export interface PaymentOrderRecord {
  readonly id: string;
  readonly accountId: string;
  /** The host's name of what was sold. */
  readonly product: string;
  readonly creditMicros: bigint;
  /** In the smallest unit of the currency. */
  readonly price: number;
  /** As the payment service writes it. */
  readonly currency: string;
  /** The first payment of it that became credits. */
  readonly paymentId: string | null;
  readonly createdAtMs: number;
}

/** How the automatic payments of an account stand (`id` is the account's). */
export interface TopUpRecord {
  readonly id: string;
  /** How many were begun, which numbers them. */
  readonly begun: number;
  /** The order of the one under way. */
  readonly orderId: string | null;
  /** The UTC month, as in `2026-11`, and the price of what was begun in it and not refused. */
  readonly month: string;
  readonly monthPrice: number;
  /** Refusals since the last payment, and until when they keep the next one back. */
  readonly refusals: number;
  readonly waitUntilMs: number;
  /** The payment for which the customer must act; while there is one, none is begun. */
  readonly stoppedBy: string | null;
}
