import type Stripe from 'stripe';
import { idOf, type Desk } from './desk.ts';
import { notePayment } from './note-payment.ts';
import type { PaymentProblem } from './stripe-options.ts';

export interface ReconcileInput {
  /** From when on payments, refunds and disputes are listed, in milliseconds. */
  readonly sinceMs: number;
  /** Only reports what is missing; without it, missing credits are given and missing refunds are taken. */
  readonly dryRun?: boolean;
}

export interface ReconcileReport {
  /** Paid payments of orders that Stripe lists. */
  readonly payments: number;
  /** Those that had no credits. */
  readonly missing: readonly string[];
  /** Refunds and disputes whose payments were looked up again. */
  readonly lookedUp: number;
  readonly problems: readonly PaymentProblem[];
}

/** A payment by bank debit is paid days after it was created. */
const payingMsMax = 14 * 86_400_000;
const listMax = 100;
const notice = 'reconcile';

const since = (atMs: number) => ({ created: { gte: Math.floor(atMs / 1_000) }, limit: listMax });

const isPaidOrder = ({ status, metadata }: Stripe.PaymentIntent): boolean =>
  status === 'succeeded' && metadata['tollgate_order'] !== undefined;

/** The payments of which something went back in the time. */
const findReturned = async ({ stripe }: Desk, sinceMs: number): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  const add = (id: string | null): void => void (id !== null && ids.add(id));
  for await (const refund of stripe.refunds.list(since(sinceMs))) add(idOf(refund.payment_intent));
  for await (const dispute of stripe.disputes.list(since(sinceMs - payingMsMax))) add(idOf(dispute.payment_intent));
  return ids;
};

interface Tally {
  payments: number;
  lookedUp: number;
  readonly missing: string[];
  readonly problems: PaymentProblem[];
}

const mend = async (desk: Desk, id: string, tally: Tally): Promise<void> => {
  const noted = await notePayment(desk, id, notice);
  if (noted.kind === 'problem') tally.problems.push(noted.problem);
  if (noted.kind === 'noted') await desk.payments.collectDebt(noted.found.account);
};

/**
 * Compares the payments that Stripe lists with those that became credits, and gives what is missing: for events that were lost,
 * since Stripe gives up after three days. Run it daily.
 */
export const reconcile = async (desk: Desk, { sinceMs, dryRun = false }: ReconcileInput): Promise<ReconcileReport> => {
  const tally: Tally = { payments: 0, lookedUp: 0, missing: [], problems: [] };
  for await (const payment of desk.stripe.paymentIntents.list(since(sinceMs - payingMsMax))) {
    if (!isPaidOrder(payment)) continue;
    tally.payments += 1;
    if ((await desk.payments.readPayment(payment.id)) !== null) continue;
    tally.missing.push(payment.id);
    if (!dryRun) await mend(desk, payment.id, tally);
  }
  for (const id of await findReturned(desk, sinceMs)) {
    if ((await desk.payments.readPayment(id)) === null) continue;
    tally.lookedUp += 1;
    if (!dryRun) await mend(desk, id, tally);
  }
  return tally;
};
