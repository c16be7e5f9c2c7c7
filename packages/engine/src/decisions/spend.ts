import type { CapRecord, Key, OperationRecord, Records, SpendRecord, Write } from '@tollgate/storage';
import { creditsFromMicros } from '../ledger/micros.ts';
import { keySpendId, windowEndMs } from './spend-window.ts';

/** How long a record of spending is kept after its window. */
const spendKeptMs = 35 * 24 * 60 * 60 * 1_000;

/** What a token may spend in all, beside the cap of the key that it comes from. */
export interface Budget {
  /** The record that counts it. */
  readonly id: string;
  readonly limitMicros: bigint;
  /** When the token expires: the record is forgotten some time after that. */
  readonly endsAtMs: number;
}

/** Names what counts an operation; every command that changes its hold or its charge names it. */
export interface CountedSpends {
  readonly spends?: readonly string[] | null | undefined;
}

type Amounts = Pick<OperationRecord, 'holdMicros' | 'chargedMicros'>;
type Counted = Amounts & Pick<OperationRecord, 'spends'>;

export const spendKeys = ({ spends }: CountedSpends): readonly Key[] =>
  (spends ?? []).map((id) => ({ table: 'spend', id }));

const addTo = (record: SpendRecord, before: Amounts, after: Amounts): Write => ({
  kind: 'put',
  table: 'spend',
  record: {
    ...record,
    heldMicros: record.heldMicros + after.holdMicros - before.holdMicros,
    spentMicros: record.spentMicros + after.chargedMicros - before.chargedMicros,
    seq: record.seq + 1,
  },
});

/** A record is forgotten long after its window, once nothing is held: what an operation of then still changes counts nowhere. */
const countedIn = (records: Records, ids: readonly string[]): readonly SpendRecord[] =>
  ids.flatMap((id) => records.get('spend', id) ?? []);

/**
 * Counts a changed hold or charge, in the step that changes it: what is held becomes what is spent, or is free again. A step that did
 * not declare the records throws.
 */
export const spendWrites = (records: Records, before: Counted, after: Amounts): readonly Write[] => {
  const { spends } = before;
  if (spends === null) return [];
  if (before.holdMicros === after.holdMicros && before.chargedMicros === after.chargedMicros) return [];
  return countedIn(records, spends).map((record) => addTo(record, before, after));
};

const leftOf = ({ limitMicros, spentMicros, heldMicros }: SpendRecord): bigint =>
  limitMicros - spentMicros - heldMicros;

/** Whether the caps of an operation, as they were when one was last opened under them, cover more of it. */
export const coversMore = (
  records: Records,
  { spends }: Pick<OperationRecord, 'spends'>,
  moreMicros: bigint,
): boolean => spends === null || countedIn(records, spends).every((record) => leftOf(record) >= moreMicros);

/** One cap that an opening must keep. */
interface Terms {
  readonly id: string;
  readonly of: 'key' | 'token';
  readonly window: CapRecord['window'];
  readonly limitMicros: bigint;
  readonly endsAtMs: number | null;
}

/** What an opening that reserves names of its caller. */
export interface SpendCommand {
  readonly keyId: string;
  readonly holdMicros: bigint;
  /** The record of the key's window as far as the process knows it; the step says where another one counts. */
  readonly keySpend?: string | null | undefined;
  readonly budget?: Budget | undefined;
}

export const openingSpendKeys = ({ keySpend = null, budget }: SpendCommand): readonly Key[] =>
  spendKeys({ spends: [...(keySpend === null ? [] : [keySpend]), ...(budget === undefined ? [] : [budget.id])] });

export type SpendAnswer =
  | { readonly kind: 'reserved'; readonly spends: readonly string[] | null; readonly writes: readonly Write[] }
  /** The key's spending is counted under another id by now: the step is sent again with it. */
  | { readonly kind: 'elsewhere'; readonly keySpend: string | null }
  /** In words for the client. */
  | { readonly kind: 'exceeded'; readonly detail: string };

const uncapped: SpendAnswer = { kind: 'reserved', spends: null, writes: [] };

const keyTerms = (keyId: string, cap: CapRecord, nowMs: number): Terms => {
  const endsAtMs = windowEndMs(cap, nowMs);
  const { window, micros } = cap;
  return { id: keySpendId(keyId, cap, endsAtMs), of: 'key', window, limitMicros: BigInt(micros), endsAtMs };
};

const each: Readonly<Record<CapRecord['window'], string>> = {
  hour: 'an hour',
  day: 'a day',
  week: 'a week',
  month: 'a month',
  total: 'in all',
};

const describeCap = (terms: Terms, record: SpendRecord, neededMicros: bigint): string => {
  const { of, window, limitMicros, endsAtMs } = terms;
  const usedMicros = record.spentMicros + record.heldMicros;
  const cap = `The ${of} may spend ${creditsFromMicros(limitMicros)} credits ${each[window]}`;
  const used = `${creditsFromMicros(usedMicros)} are spent or reserved`;
  const until = endsAtMs === null ? '' : ` The window ends at ${new Date(endsAtMs).toISOString()}.`;
  return `${cap}; ${used}, and this request needs ${creditsFromMicros(neededMicros)}.${until}`;
};

const recordFor = (records: Records, { id, limitMicros, endsAtMs }: Terms): SpendRecord => ({
  ...(records.get('spend', id) ?? {
    id,
    spentMicros: 0n,
    heldMicros: 0n,
    endsAtMs,
    owner: null,
    dueAtMs: endsAtMs === null ? null : endsAtMs + spendKeptMs,
    seq: 0,
  }),
  limitMicros,
});

/**
 * Reserves within every cap of the caller, in the step that opens: what is spent and held and this hold together are within the cap,
 * or nothing is reserved. Without a cap nothing is read or written.
 */
export const reserveSpend = (records: Records, command: SpendCommand, nowMs: number): SpendAnswer => {
  const { keyId, holdMicros, keySpend = null, budget } = command;
  const cap = records.get('apiKey', keyId)?.cap ?? null;
  if (cap === null && keySpend === null && budget === undefined) return uncapped;
  const ofKey = cap === null ? null : keyTerms(keyId, cap, nowMs);
  if ((ofKey?.id ?? null) !== keySpend) return { kind: 'elsewhere', keySpend: ofKey?.id ?? null };
  const terms: Terms[] = ofKey === null ? [] : [ofKey];
  if (budget !== undefined) terms.push({ ...budget, of: 'token', window: 'total' });
  const counted = terms.map((one) => ({ terms: one, record: recordFor(records, one) }));
  const short = counted.find(({ record }) => leftOf(record) < holdMicros);
  if (short !== undefined) return { kind: 'exceeded', detail: describeCap(short.terms, short.record, holdMicros) };
  const nothing = { holdMicros: 0n, chargedMicros: 0n };
  return {
    kind: 'reserved',
    spends: terms.map(({ id }) => id),
    writes: counted.map(({ record }) => addTo(record, nothing, { holdMicros, chargedMicros: 0n })),
  };
};
