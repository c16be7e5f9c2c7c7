import type { EntryRecord } from '@tollgate/storage';
import { customerOf } from './customer.ts';
import { links, type Desk } from './desk.ts';

export interface MeterInput {
  readonly account: string;
  /** The `event_name` of the meter at Stripe. */
  readonly eventName: string;
  /** What one charge counts, as the meter has it; by default its micro-credits. */
  readonly count?: (entry: EntryRecord) => bigint;
}

export type MeterAnswer =
  | { readonly kind: 'reported'; readonly events: number; readonly tooOld: number; readonly untilSeq: number }
  | { readonly kind: 'missing_account' };

/** Stripe takes events of the past 35 days; a day less leaves room for what waits. */
export const meterAgeMsMax = 34 * 86_400_000;
/** Stripe takes times up to five minutes ahead of its own. */
const aheadMsMax = 240_000;
const pageRows = 100;
/** Events that are sent at once. */
const atOnceMax = 20;
/** Pages of one call: the next call goes on. */
const pagesMax = 100;

const oldestFirst = (left: EntryRecord, right: EntryRecord): number => left.seq - right.seq;

const isCharge = ({ kind }: EntryRecord): boolean => kind === 'debit';

type Send = (entry: EntryRecord) => Promise<void>;

const sender =
  ({ stripe, options: { nowMs = Date.now } }: Desk, { eventName, count }: MeterInput, customer: string): Send =>
  async (entry) => {
    const value = count?.(entry) ?? -entry.amountMicros;
    const atMs = Math.min(entry.createdAtMs, nowMs() + aheadMsMax);
    await stripe.v2.billing.meterEvents.create({
      event_name: eventName,
      // An operation that is charged in parts has several entries; each is an event of its own.
      identifier: entry.id,
      payload: { stripe_customer_id: customer, value: String(value) },
      timestamp: new Date(atMs).toISOString(),
    });
  };

const sendAll = async (entries: readonly EntryRecord[], send: Send): Promise<void> => {
  for (let at = 0; at < entries.length; at += atOnceMax)
    await Promise.all(entries.slice(at, at + atOnceMax).map((entry) => send(entry)));
};

/** Entries after a number, oldest first: entries of an account are numbered without a gap. */
const pageAfter = async (desk: Desk, account: string, seq: number): Promise<readonly EntryRecord[]> => {
  const page = await desk.options.gateway.admin.readStatement(account, seq + pageRows + 1);
  return page.filter((entry) => entry.seq > seq).toSorted(oldestFirst);
};

/**
 * Reports to a meter of Stripe what an account was charged since the last call, from the entries of the ledger. Each charge is sent at
 * least once: the identifier of an event is the id of its entry, and Stripe counts one identifier once in 24 hours.
 */
export const meterUsage = async (desk: Desk, input: MeterInput): Promise<MeterAnswer> => {
  const { account } = input;
  const customer = await customerOf(desk, account);
  if (customer === null) return { kind: 'missing_account' };
  const oldestMs = (desk.options.nowMs ?? Date.now)() - meterAgeMsMax;
  const send = sender(desk, input, customer);
  let kept = await desk.payments.readLink(account, links.metered);
  let untilSeq = Number(kept ?? '0');
  let events = 0;
  let tooOld = 0;
  for (let page = 0; page < pagesMax; page += 1) {
    const entries = await pageAfter(desk, account, untilSeq);
    const last = entries.at(-1);
    if (last === undefined) break;
    const charges = entries.filter(isCharge);
    const fresh = charges.filter(({ createdAtMs }) => createdAtMs >= oldestMs);
    await sendAll(fresh, send);
    events += fresh.length;
    tooOld += charges.length - fresh.length;
    const value = String(last.seq);
    await desk.payments.linkAccount({ accountId: account, name: links.metered, value, replaces: kept ?? undefined });
    kept = value;
    untilSeq = last.seq;
  }
  return { kind: 'reported', events, tooOld, untilSeq };
};
