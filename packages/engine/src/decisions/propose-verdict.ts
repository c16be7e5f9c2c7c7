import type { OperationRecord, UsageRecord } from '@tollgate/storage';
import { addRecords, type Verdict, type VerdictPart } from './verdict.ts';

/** One part of an operation, as it is looked for on a bill. */
export interface BilledPart {
  readonly part: string;
  readonly state: 'known' | 'nothing' | 'unknown';
  readonly upstreamIds: readonly string[];
  readonly providers: readonly string[];
  readonly fromMs: number | null;
  readonly untilMs: number | null;
}

/** What a bill says. */
export interface BillFacts {
  /** What the bill has under one of these ids of the upstream; null where it has none of them. */
  readonly findUsage: (upstreamIds: readonly string[]) => readonly UsageRecord[] | null;
  /** What the bill has under the gateway's own id of an operation. */
  readonly findOwnUsage: (operationId: string) => readonly UsageRecord[] | null;
  /** The bill has every call that began and ended in this time; null where that is not known. */
  readonly covers: { readonly fromMs: number; readonly untilMs: number } | null;
  /** Some rows bill a usage under no id: an operation that is not found may be one of them, so none is released. */
  readonly hasRowsWithoutId: boolean;
  /** Whose bill it is; null where it is that of every provider. */
  readonly provider: string | null;
  /** What the rows of the bill are named by: what is on it by its id is certainly not there if it is missing. */
  readonly idsAre: 'upstream' | 'operation';
}

/** Why a bill decides nothing about an operation. */
export type NoProposal =
  /** The call has no id by which it could be on this bill. */
  | 'no_id'
  /** It is not on the bill, and the bill does not say that it has all calls of that time. */
  | 'not_covered'
  /** It is not found on the bill, and may be one of the rows without an id. */
  | 'rows_without_id'
  | 'other_provider'
  /** It was answered, so it ran, and yet it is not on the bill. */
  | 'answered_and_not_billed'
  /** The bill has less than is known to have been used. */
  | 'below_known'
  /** It waits for balance: its amount is known. */
  | 'waits_for_balance';

export type Proposal =
  | { readonly kind: 'verdict'; readonly verdict: Verdict; readonly because: 'on_the_bill' | 'not_on_the_bill' }
  | { readonly kind: 'none'; readonly because: NoProposal };

type Span = Pick<BilledPart, 'fromMs' | 'untilMs'>;

const isCovered = ({ covers }: BillFacts, { fromMs, untilMs }: Span): boolean =>
  covers !== null && fromMs !== null && untilMs !== null && covers.fromMs <= fromMs && untilMs <= covers.untilMs;

/** Why an operation that is not found on the bill is not released; null where the bill proves that it did not run. */
const whyNotReleased = (bill: BillFacts, span: Span): NoProposal | null => {
  if (!isCovered(bill, span)) return 'not_covered';
  return bill.hasRowsWithoutId ? 'rows_without_id' : null;
};

const none = (because: NoProposal): Proposal => ({ kind: 'none', because });

const isBelow = (usage: readonly UsageRecord[], least: readonly UsageRecord[] | null): boolean =>
  (least ?? []).some(({ unit, quantity }) => {
    const billed = usage.find((meter) => meter.unit === unit)?.quantity ?? 0;
    return billed < quantity;
  });

const charge = (operation: OperationRecord, usage: readonly UsageRecord[]): Proposal =>
  isBelow(usage, operation.usageAtLeast)
    ? none('below_known')
    : { kind: 'verdict', verdict: { executed: true, usage }, because: 'on_the_bill' };

const release: Proposal = { kind: 'verdict', verdict: { executed: false }, because: 'not_on_the_bill' };

type FoundPart = VerdictPart | NoProposal;

/** What the bill says of one part uncertain. */
const findPart = (bill: BillFacts, { part, upstreamIds, providers, ...span }: BilledPart): FoundPart => {
  if (bill.provider !== null && providers.some((provider) => provider !== bill.provider)) return 'other_provider';
  if (upstreamIds.length === 0) return 'no_id';
  const usage = bill.findUsage(upstreamIds);
  if (usage !== null) return { part, executed: true, usage };
  return whyNotReleased(bill, span) ?? { part, executed: false };
};

const isVerdictPart = (found: FoundPart): found is VerdictPart => typeof found !== 'string';

/** Each part uncertain by itself: what is known of the others is added by the verdict. */
const proposeByParts = (
  operation: OperationRecord,
  bill: BillFacts,
  { unknown, known }: { readonly unknown: readonly BilledPart[]; readonly known: readonly UsageRecord[] },
): Proposal => {
  const found = unknown.map((part) => findPart(bill, part));
  const obstacle = found.find((each): each is NoProposal => !isVerdictPart(each));
  if (obstacle !== undefined) return none(obstacle);
  const parts = found.filter(isVerdictPart);
  const billed = addRecords(known, ...parts.map((part) => ('usage' in part ? part.usage : [])));
  if (isBelow(billed, operation.usageAtLeast)) return none('below_known');
  if (known.length > 0 || parts.length > 1 || operation.kind === 'batch') {
    const isNothing = parts.every(({ executed }) => !executed);
    if (isNothing && known.every(({ quantity }) => quantity === 0)) return release;
    const because = isNothing ? 'not_on_the_bill' : 'on_the_bill';
    return { kind: 'verdict', verdict: { executed: true, parts }, because };
  }
  return parts.every(({ executed }) => executed) ? charge(operation, billed) : release;
};

/** It was answered without a measure that counts: it ran, and is on the bill of the provider that answered. */
const proposeMeasure = (operation: OperationRecord, bill: BillFacts, parts: readonly BilledPart[]): Proposal => {
  const answered = parts.filter(({ state }) => state === 'known');
  if (bill.provider !== null && answered.some(({ providers }) => !providers.includes(bill.provider ?? '')))
    return none('other_provider');
  const ids = answered.flatMap(({ upstreamIds }) => upstreamIds);
  if (ids.length === 0) return none('no_id');
  const usage = bill.findUsage(ids);
  return usage === null ? none('answered_and_not_billed') : charge(operation, usage);
};

/**
 * What a bill says of an uncertain operation: a charge by the usage on it; a release where the bill has all calls of that time
 * and not this one; nothing where that is not certain.
 */
export const proposeVerdict = (
  operation: OperationRecord,
  { parts, known }: { readonly parts: readonly BilledPart[]; readonly known: readonly UsageRecord[] },
  bill: BillFacts,
): Proposal => {
  if (operation.pendingMicros !== null) return none('waits_for_balance');
  const own = bill.findOwnUsage(operation.id);
  if (own !== null) return charge(operation, own);
  if (bill.idsAre === 'operation') {
    const span = { fromMs: operation.createdAtMs, untilMs: operation.updatedAtMs };
    if (parts.some(({ state }) => state === 'known')) return none('answered_and_not_billed');
    const obstacle = whyNotReleased(bill, span);
    return obstacle === null ? release : none(obstacle);
  }
  const unknown = parts.filter(({ state }) => state === 'unknown');
  if (unknown.length > 0) return proposeByParts(operation, bill, { unknown, known });
  return parts.length === 0 ? none('no_id') : proposeMeasure(operation, bill, parts);
};
