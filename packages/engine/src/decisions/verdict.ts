import { isDeepStrictEqual } from 'node:util';
import type { OperationRecord, UsageRecord, VerdictPartRecord, VerdictRecord } from '@tollgate/storage';
import { fixedMeasure, pendingMeasure, type Measure } from './carry.ts';

/** What is decided of one part of an operation whose outcome is unknown. */
export type VerdictPart =
  | { readonly part: string; readonly executed: false }
  | { readonly part: string; readonly executed: true; readonly usage: readonly UsageRecord[] }
  | { readonly part: string; readonly executed: true; readonly amountMicros: bigint };

/** What an operator or a reconciler found out about an uncertain operation. */
export type Verdict =
  /** Nothing ran: the hold is released. */
  | { readonly executed: false }
  /** Without an amount, the one that was measured and is waiting for balance, or what was measured of the parts that are known. */
  | { readonly executed: true; readonly amountMicros?: bigint }
  /** What the whole operation used, or what it used at the least; priced by the price list of its hold. */
  | { readonly executed: true; readonly usage: readonly UsageRecord[] | 'at_least' }
  /** What each part used or cost of which the outcome is unknown; what is known of the others is added. */
  | { readonly executed: true; readonly parts: readonly VerdictPart[] };

/** Who decides, why, and by which document. */
export interface VerdictNote {
  readonly by?: string | undefined;
  readonly reason?: string | undefined;
  /** Written on the entry of the debit too. */
  readonly reference?: string | undefined;
}

/** A verdict on its way into the record, which adds the time. */
export type VerdictDraft = Omit<VerdictRecord, 'decidedAtMs'>;

/** What a verdict is judged by. */
export interface VerdictFacts {
  readonly operation: OperationRecord;
  /** The parts of the operation whose outcome is unknown, by name. */
  readonly unknownParts: readonly string[];
  /** What is known of the other parts. */
  readonly knownUsage: readonly UsageRecord[];
  /** The price of what the whole used, by the price list of the hold; null where a unit has none, or the price list is gone. */
  readonly price: (usage: readonly UsageRecord[]) => Measure | null;
  /** In the same way the price of what is known, together with what parts are said to have used. */
  readonly priceParts: (said: readonly UsedPart[]) => Measure | null;
}

/** What one part is said to have used. */
export interface UsedPart {
  readonly part: string;
  readonly usage: readonly UsageRecord[];
}

export type JudgedVerdict =
  /** The whole micro-credits are charged as they are put on record; the account carries the rest. */
  | { readonly kind: 'judged'; readonly draft: VerdictDraft; readonly measure: Measure }
  /** Nothing was measured, and no amount is said. */
  | { readonly kind: 'amount_needed' }
  /** Nothing is known of what was used at the least. */
  | { readonly kind: 'usage_needed' }
  | { readonly kind: 'price_missing' }
  /** Parts that are not said although they are unknown, are said twice, or are not unknown. */
  | {
      readonly kind: 'parts_refused';
      readonly missing: readonly string[];
      readonly repeated: readonly string[];
      readonly notUnknown: readonly string[];
    };

/** Sums by unit, in the order in which the units come. */
export const addRecords = (...lists: readonly (readonly UsageRecord[])[]): readonly UsageRecord[] => {
  const sums = new Map<string, number>();
  for (const { unit, quantity } of lists.flat()) sums.set(unit, (sums.get(unit) ?? 0) + quantity);
  return Array.from(sums, ([unit, quantity]) => ({ unit, quantity }));
};

const noteOf = ({ by, reason, reference }: VerdictNote): Pick<VerdictDraft, 'by' | 'reason' | 'reference'> => ({
  by: by ?? null,
  reason: reason ?? null,
  reference: reference ?? null,
});

const partRecord = (part: VerdictPart): VerdictPartRecord => ({
  part: part.part,
  executed: part.executed,
  usage: 'usage' in part ? part.usage : null,
  amountMicros: 'amountMicros' in part ? String(part.amountMicros) : null,
});

type Decided = Omit<VerdictDraft, 'by' | 'reason' | 'reference'>;

const judged = (decided: Omit<Decided, 'amountMicros'>, measure: Measure, note: VerdictNote): JudgedVerdict => ({
  kind: 'judged',
  measure,
  draft: { ...decided, amountMicros: String(measure.micros), ...noteOf(note) },
});

const judgeMeasured = (
  { operation, price }: VerdictFacts,
  given: readonly UsageRecord[] | 'at_least',
  note: VerdictNote,
): JudgedVerdict => {
  const usage = given === 'at_least' ? operation.usageAtLeast : addRecords(given);
  if (usage === null) return { kind: 'usage_needed' };
  const measure = price(usage);
  if (measure === null) return { kind: 'price_missing' };
  return judged({ kind: 'charge_measured', usage, parts: null }, measure, note);
};

const faultOfParts = (
  { unknownParts }: VerdictFacts,
  parts: readonly VerdictPart[],
): Extract<JudgedVerdict, { kind: 'parts_refused' }> | null => {
  const named = parts.map(({ part }) => part);
  const missing = unknownParts.filter((part) => !named.includes(part));
  const repeated = named.filter((part, place) => named.indexOf(part) !== place);
  const notUnknown = named.filter((part) => !unknownParts.includes(part));
  const isRight = named.length > 0 && missing.length + repeated.length + notUnknown.length === 0;
  return isRight ? null : { kind: 'parts_refused', missing, repeated, notUnknown };
};

/** All usage is rounded once, with what is known; what is said as an amount is added as it is. */
const judgeParts = (facts: VerdictFacts, parts: readonly VerdictPart[], note: VerdictNote): JudgedVerdict => {
  const fault = faultOfParts(facts, parts);
  if (fault !== null) return fault;
  const said = parts.flatMap((each) => ('usage' in each ? [{ part: each.part, usage: each.usage }] : []));
  const usage = addRecords(facts.knownUsage, ...said.map((each) => each.usage));
  const priced = usage.length === 0 ? fixedMeasure(0n) : facts.priceParts(said);
  if (priced === null) return { kind: 'price_missing' };
  const amounts = parts.map((part) => ('amountMicros' in part ? part.amountMicros : 0n));
  const isMeasured = parts.every((part) => !('amountMicros' in part));
  const saidMicros = amounts.reduce((sum, amount) => sum + amount, 0n);
  const records = parts.map(partRecord).toSorted((left, right) => (left.part < right.part ? -1 : 1));
  const whole = isMeasured && usage.length > 0 ? usage : null;
  const measure = { ...priced, micros: priced.micros + saidMicros };
  return judged({ kind: 'charge_parts', usage: whole, parts: records }, measure, note);
};

/** What a verdict comes to: what is to be charged and what is put on record, or why it cannot be carried out. */
export const judgeVerdict = (facts: VerdictFacts, verdict: Verdict, note: VerdictNote = {}): JudgedVerdict => {
  if (!verdict.executed) return judged({ kind: 'release', usage: null, parts: null }, fixedMeasure(0n), note);
  if ('usage' in verdict) return judgeMeasured(facts, verdict.usage, note);
  if ('parts' in verdict) return judgeParts(facts, verdict.parts, note);
  const { operation, knownUsage, priceParts } = facts;
  const known = operation.usage === null || knownUsage.length === 0 ? null : priceParts([]);
  const said = verdict.amountMicros === undefined ? pendingMeasure(operation) : fixedMeasure(verdict.amountMicros);
  const measure = said ?? known;
  if (measure === null) return { kind: 'amount_needed' };
  return judged({ kind: 'charge', usage: null, parts: null }, measure, note);
};

/** Whether an operation was decided in this very way: who decided, why and by which document makes no other verdict of it. */
export const isSameVerdict = (recorded: VerdictRecord, verdict: Verdict, operation: OperationRecord): boolean => {
  if (!verdict.executed) return recorded.kind === 'release';
  if ('parts' in verdict) {
    const parts = verdict.parts.map(partRecord).toSorted((left, right) => (left.part < right.part ? -1 : 1));
    return recorded.kind === 'charge_parts' && isDeepStrictEqual(recorded.parts, parts);
  }
  if ('usage' in verdict) {
    const usage = verdict.usage === 'at_least' ? operation.usageAtLeast : addRecords(verdict.usage);
    return recorded.kind === 'charge_measured' && isSameUsage(recorded.usage ?? [], usage ?? []);
  }
  if (recorded.kind !== 'charge') return false;
  return verdict.amountMicros === undefined || String(verdict.amountMicros) === recorded.amountMicros;
};

const usedUnits = (usage: readonly UsageRecord[]): ReadonlyMap<string, number> =>
  new Map(usage.filter(({ quantity }) => quantity > 0).map(({ unit, quantity }) => [unit, quantity]));

const isSameUsage = (left: readonly UsageRecord[], right: readonly UsageRecord[]): boolean =>
  isDeepStrictEqual(usedUnits(left), usedUnits(right));

/** How a verdict changes the record of an operation that it ends or makes wait. */
export const verdictChange = (
  operation: OperationRecord,
  { draft, brought }: { readonly draft: VerdictDraft | undefined; readonly brought: 'evidence' | 'nothing' },
  nowMs: number,
): VerdictRecord | null => {
  if (draft !== undefined) return { ...draft, decidedAtMs: nowMs };
  // A measure of the gateway's own that comes late takes the place of what was decided and still waits.
  return brought === 'evidence' ? null : operation.verdict;
};
