import type { NotExecutedReason, Usage } from '@tollgate/provider';
import type { Random } from './random.ts';

/** What every operation reserves, in micro-credits; a token costs one. */
export const holdTokens = 10;

export interface ProviderResult {
  readonly usage: readonly Usage[];
  readonly text: string;
  /** The route cannot make sense of the result. */
  readonly unreadable: boolean;
}

/** What one execution will do. `ran` is what the provider knows, whatever the gateway hears. */
export type ProviderScript =
  | {
      readonly kind: 'answers';
      readonly ran: true;
      readonly result: ProviderResult;
      /** What it cost; null where the result does not show it. */
      readonly micros: bigint | null;
    }
  | { readonly kind: 'not_executed'; readonly ran: false; readonly reason: NotExecutedReason }
  | { readonly kind: 'unknown'; readonly ran: boolean };

export const meter = (quantity: number, confirmed = true): readonly Usage[] => [
  { unit: 'input_text_tokens', quantity, confirmed },
];

export const answers = (usage: readonly Usage[], micros: number | null, unreadable = false): ProviderScript => ({
  kind: 'answers',
  ran: true,
  result: { usage, text: 'an answer', unreadable },
  micros: micros === null ? null : BigInt(micros),
});

const measured = (quantity: number): ProviderScript => answers(meter(quantity), quantity);

/** Below the hold, all of it, nothing, and more than was held. */
const measuredScripts = [5, 5, 5, holdTokens, holdTokens, 0, 1, holdTokens + 3, holdTokens + 9, 300].map(measured);

const oddScripts: readonly ProviderScript[] = [
  { kind: 'unknown', ran: true },
  { kind: 'unknown', ran: true },
  { kind: 'unknown', ran: false },
  { kind: 'not_executed', ran: false, reason: 'invalid_request' },
  { kind: 'not_executed', ran: false, reason: 'unavailable' },
  { kind: 'not_executed', ran: false, reason: 'failed' },
  answers([], null),
  answers(meter(5, false), null),
  answers(meter(-5), null),
  answers(meter(2.5), null),
  answers(meter(Number.NaN), null),
  answers(meter(Number.MAX_SAFE_INTEGER), null),
  answers([{ unit: 'web_search_queries', quantity: 1, confirmed: true }], null),
  answers(meter(5), null, true),
];

const fallback = measured(5);

/** Draws what the provider will do: it responds with a measure in three cases of five. */
export const drawScript = (random: Random): ProviderScript => {
  const scripts = random.below(5) < 3 ? measuredScripts : oddScripts;
  return scripts[random.below(scripts.length)] ?? fallback;
};
