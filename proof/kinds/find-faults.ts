import type { OperationRecord } from '@tollgate/storage';
import type { Execution } from './journal.ts';
import { batchUnitMicros, unitMicros } from './kinds-gateway.ts';
import { cacheTokens } from './reference-upstream.ts';

/** All that is known of one operation. */
export interface Case {
  readonly operation: OperationRecord;
  /** What the reference upstream did for it. */
  readonly executions: readonly Execution[];
  /** Phases at which it lost its worker. */
  readonly deaths: readonly string[];
}

type Quantities = ReadonlyMap<string, number>;

const sumOf = (usages: readonly (readonly { readonly unit: string; readonly quantity: number }[])[]): Quantities => {
  const sum = new Map<string, number>();
  for (const { unit, quantity } of usages.flat()) sum.set(unit, (sum.get(unit) ?? 0) + quantity);
  return sum;
};

const ran = ({ executions }: Case): readonly Execution[] =>
  executions.filter(({ count, billed }) => count > 0 && billed);

/** What the reference upstream said that was used, in the units in which the gateway meters it. */
const seen = (one: Case): Quantities =>
  sumOf(
    ran(one).map(({ usage }) =>
      (usage ?? []).map(({ unit, quantity }) => ({
        unit: one.operation.kind === 'document' && unit === 'embedding_tokens' ? 'indexing_tokens' : unit,
        quantity,
      })),
    ),
  );

const recorded = ({ operation }: Case): Quantities => sumOf([operation.usage ?? []]);

const priceOf = ({ operation }: Case, quantities: Quantities): bigint => {
  const prices = operation.kind === 'batch' ? batchUnitMicros : unitMicros;
  let micros = 0;
  for (const [unit, quantity] of quantities) micros += (prices[unit] ?? Number.NaN) * quantity;
  return BigInt(micros);
};

/** What all that ran for an operation costs. */
export const recordedMicros = (one: Case): bigint => priceOf(one, seen(one));

/** At most one run of each key. */
export const findTwice = (executions: Iterable<Execution>): readonly string[] =>
  [...executions].flatMap(({ key, family, count }) => (count > 1 ? [`${family} ${key} ran ${count} times`] : []));

/**
 * What may be recorded beyond what the reference upstream said: the seconds that a cache was stored, and a call of a tool that died in the
 * middle, which is charged at its bound.
 */
const isExtra = ({ operation, deaths }: Case, unit: string, extra: number): boolean => {
  if (operation.kind === 'cache' && unit === 'cache_token_seconds') return extra >= 0 && extra % cacheTokens === 0;
  if (unit !== 'web_search_queries') return false;
  return extra >= 0 && extra <= deaths.filter((phase) => phase === 'tool').length;
};

const wrongMeasure = (one: Case): string | null => {
  const [told, kept] = [seen(one), recorded(one)];
  for (const unit of new Set([...told.keys(), ...kept.keys()])) {
    const extra = (kept.get(unit) ?? 0) - (told.get(unit) ?? 0);
    if (extra !== 0 && !isExtra(one, unit, extra))
      return `recorded ${kept.get(unit) ?? 0} ${unit}, but the reference upstream measured ${told.get(unit) ?? 0}`;
  }
  return null;
};

const wrongCompletion = (one: Case): string | null => {
  const { operation, executions } = one;
  const silent = executions.find(({ count, billed, usage }) => count > 0 && billed && usage === null);
  if (silent !== undefined) return `completed, without a measure of ${silent.key}`;
  const measure = wrongMeasure(one);
  if (measure !== null) return measure;
  const micros = priceOf(one, recorded(one));
  return operation.chargedMicros === micros && operation.holdMicros === 0n
    ? null
    : `charged ${operation.chargedMicros} and holds ${operation.holdMicros}, but its measure costs ${micros}`;
};

/** A document of which a later piece was refused costs nothing, though earlier ones ran (a confirmed failure is not charged). */
const mayHaveRun = ({ operation, executions }: Case): boolean =>
  operation.kind === 'document' && executions.some(({ refusals }) => refusals > 0);

const wrongFailure = (one: Case): string | null => {
  const { chargedMicros, holdMicros } = one.operation;
  if (chargedMicros !== 0n || holdMicros !== 0n) return 'failed, but it took or holds money';
  const [first] = ran(one);
  return first === undefined || mayHaveRun(one) ? null : `failed, but ${first.key} ran`;
};

/** Whether there is a cause for an unknown outcome: an answer that got lost, a measure that was not given, or a death. */
const hasCause = ({ executions, deaths }: Case): boolean =>
  deaths.length > 0 || executions.some(({ count, fate }) => count > 0 && (fate === 'lost' || fate === 'unmeasured'));

const falseUncertain = (one: Case): string | null => {
  const { chargedMicros, holdMicros } = one.operation;
  return chargedMicros !== 0n || holdMicros <= 0n ? 'uncertain, but its hold was not kept' : null;
};

/** Uncertain, though no answer was lost and no worker died: that may only be where a process could not renew its leases. */
export const isUnexplained = (one: Case): boolean => one.operation.state === 'uncertain' && !hasCause(one);

/** What is wrong with an operation that has ended, or with one that has not. */
export const faultOf = (one: Case): { readonly kind: 'mischarged' | 'stuck'; readonly why: string } | null => {
  const { id, kind, state } = one.operation;
  const found = (why: string | null) =>
    why === null ? null : ({ kind: 'mischarged', why: `${kind} ${id}: ${why}` } as const);
  switch (state) {
    case 'completed':
      return found(wrongCompletion(one));
    case 'failed':
      return found(wrongFailure(one));
    case 'uncertain':
      return found(falseUncertain(one));
    case 'preparing':
    case 'reserved':
    case 'processing':
    case 'cancelling':
    case 'settling':
      return { kind: 'stuck', why: `${kind} ${id} is still ${state}` };
  }
};

/** Once an operator has decided what was uncertain by what the reference upstream knows. */
export const faultOfDecided = (one: Case): string | null => {
  const { id, kind, state, chargedMicros, holdMicros } = one.operation;
  const micros = recordedMicros(one);
  const right = state === 'failed' ? 0n : micros;
  return holdMicros === 0n && chargedMicros === right && (state === 'completed' || state === 'failed')
    ? null
    : `${kind} ${id}: decided as ${state} with ${chargedMicros}, but it used ${micros}`;
};
