import {
  callable,
  checkOf,
  faultAt,
  number,
  oneOf,
  optionsCheck,
  required,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import type { Provider } from '@tollgate/provider';
import type { Invocation } from './invocation.ts';
import { createLatencyWeights, type LatencyWeights } from './latency-weights.ts';
import { leavesOf } from './leaves.ts';
import { rendezvous } from './rendezvous.ts';
import { checkWeights, createTurns, type Weighted } from './turns.ts';

/** Keeps what belongs together on one provider, so that the upstream finds the beginning of its prompts in its cache. */
export interface StickyOrder {
  readonly kind: 'sticky';
  /**
   * What stays together (default `project`): the calls of a key, of a project or of an account for one model; or those of the end user
   * that the client names within its project, and of its key where it names none.
   */
  readonly to?: 'key' | 'project' | 'account' | 'end_user';
}

/** Turns by weight and by measured latency: to the first piece of a stream, to the answer of everything else. */
export interface LatencyOrder {
  readonly kind: 'latency';
  /** After so long without a measurement, half of what speaks against a slow provider is forgotten (default 60,000). */
  readonly halfLifeMs?: number;
  /** How much a difference counts (default 2: a provider that is twice as fast gets four times the calls). */
  readonly sharpness?: number;
  /** Of the share of the fastest, what every provider keeps so that its latency stays known; from 0.001 to 1 (default 0.05). */
  readonly shareMin?: number;
  readonly now?: () => number;
}

/** Who is asked first: by turns alone, by what stays together, or by turns and latency. */
export type BalanceOrder = { readonly kind: 'turns' } | StickyOrder | LatencyOrder;

const checks = {
  turns: optionsCheck<{ kind: 'turns' }>({ kind: required(oneOf('turns')) }),
  sticky: optionsCheck<StickyOrder>({
    kind: required(oneOf('sticky')),
    to: oneOf('key', 'project', 'account', 'end_user'),
  }),
  latency: optionsCheck<LatencyOrder>({
    kind: required(oneOf('latency')),
    halfLifeMs: whole({ min: 1 }),
    sharpness: number({ min: 0, max: 10 }),
    shareMin: number({ min: 0.001, max: 1 }),
    now: callable(),
  }),
};

export const balanceOrderCheck: OptionCheck<BalanceOrder> = checkOf((value, place) => {
  const kind: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, 'kind') : undefined;
  if (kind === 'turns' || kind === 'sticky' || kind === 'latency') return checks[kind].faultsOf(value, place);
  return faultAt(place, 'has no kind that is known', "is an object whose kind is 'turns', 'sticky' or 'latency'");
});

/** A call, as far as its place depends on it. */
type Ordered = Pick<Invocation<unknown>, 'method' | 'upstreamModel' | 'caller' | 'endUser' | 'offers'>;

export interface Ordering {
  /** The providers that have the method, in the order in which they are asked. */
  readonly orderOf: (call: Ordered) => readonly Provider[];
  /** Takes what a provider took to give its first piece or its answer; null where that does not matter. */
  readonly note: ((call: Ordered, member: Provider, ms: number) => void) | null;
  readonly now: () => number;
}

/** What stays together. A key, a project and an account differ by their ids; an end user is one within its project. */
const stickyKey = ({ caller, endUser, upstreamModel = '' }: Ordered, to: NonNullable<StickyOrder['to']>): string => {
  switch (to) {
    case 'key':
      return JSON.stringify([upstreamModel, caller.keyId]);
    case 'project':
      return JSON.stringify([upstreamModel, caller.projectId]);
    case 'account':
      return JSON.stringify([upstreamModel, caller.accountId]);
    case 'end_user':
      return JSON.stringify([upstreamModel, caller.projectId, endUser ?? null, endUser === undefined && caller.keyId]);
  }
};

const stickyOrdering = (entries: readonly Weighted<Provider>[], { to = 'project' }: StickyOrder): Ordering => {
  // A provider over others has no name of its own; those that it ends at are called differently everywhere.
  const named = entries.map(({ item, weight }) => ({
    item,
    weight,
    name: leavesOf(item)
      .map(({ name }) => name)
      .join('\n'),
  }));
  return {
    orderOf: (call) => rendezvous(named, stickyKey(call, to)).filter(call.offers),
    note: null,
    now: () => 0,
  };
};

const halfLifeMsDefault = 60_000;
const sharpnessDefault = 2;
const shareMinDefault = 0.05;
/** Methods with a model whose latencies are known; the one longest unheard of is forgotten. */
const keysMax = 1_000;

const latencyOrdering = (entries: readonly Weighted<Provider>[], order: LatencyOrder): Ordering => {
  const { halfLifeMs = halfLifeMsDefault, sharpness = sharpnessDefault, shareMin = shareMinDefault } = order;
  const now = order.now ?? Date.now;
  const turns = createTurns(entries);
  const members = entries.map(({ item }) => item);
  const weights = new Map<string, LatencyWeights<Provider>>();
  const weightsOf = ({ method, upstreamModel = '' }: Ordered): LatencyWeights<Provider> => {
    const key = JSON.stringify([method, upstreamModel]);
    const known = weights.get(key) ?? createLatencyWeights<Provider>({ halfLifeMs, sharpness, shareMin });
    weights.delete(key);
    weights.set(key, known);
    const [oldest] = weights.keys();
    if (weights.size > keysMax && oldest !== undefined) weights.delete(oldest);
    return known;
  };
  return {
    orderOf: (call) => {
      const factors = weightsOf(call).factors(members.filter(call.offers), now());
      return turns.next(call.method, call.offers, (member) => factors.get(member) ?? 1);
    },
    note: (call, member, ms) => weightsOf(call).note(member, ms, now()),
    now,
  };
};

const turnsOrdering = (entries: readonly Weighted<Provider>[]): Ordering => {
  const turns = createTurns(entries);
  return { orderOf: ({ method, offers }) => turns.next(method, offers), note: null, now: () => 0 };
};

/** Throws for a weight that is not positive. */
export const createOrdering = (entries: readonly Weighted<Provider>[], order: BalanceOrder): Ordering => {
  checkWeights(entries);
  switch (order.kind) {
    case 'turns':
      return turnsOrdering(entries);
    case 'sticky':
      return stickyOrdering(entries, order);
    case 'latency':
      return latencyOrdering(entries, order);
  }
};
