import type { NotExecutedReason, Usage } from '@tollgate/provider';
import type { Random } from '../random.ts';

/** What every order of a video, and every item of a batch, reserves in micro-credits: a second or a token costs one. */
export const holdMicros = 10;

/** What will become of one hand-over. `micros` is the truth: what it cost, or null where the reports do not show it. */
export type UpstreamScript =
  /** Carried out. A video is asked for so many times in vain before it is there. */
  | {
      readonly kind: 'answers';
      readonly usage: readonly Usage[];
      readonly micros: bigint | null;
      readonly pollsBefore: number;
    }
  /** Taken on, and later told that it failed and that nothing was consumed. */
  | { readonly kind: 'fails'; readonly pollsBefore: number }
  | { readonly kind: 'not_executed'; readonly reason: NotExecutedReason }
  /** The line broke: it may have run. */
  | { readonly kind: 'unknown'; readonly ran: boolean };

export const mayHaveRun = (script: UpstreamScript): boolean => script.kind === 'answers' || script.kind === 'unknown';

/** What a script is for. */
export type Handed = 'video' | 'item' | 'batch';

const unitOf = { video: 'video_seconds', item: 'input_text_tokens', batch: 'input_text_tokens' } as const;

const answers = (of: Handed, quantity: number, pollsBefore: number): UpstreamScript => ({
  kind: 'answers',
  usage: [{ unit: unitOf[of], quantity, confirmed: true }],
  micros: BigInt(quantity),
  pollsBefore,
});

const unmeasured = (usage: readonly Usage[]): UpstreamScript => ({
  kind: 'answers',
  usage,
  micros: null,
  pollsBefore: 0,
});

/** Below the hold, all of it, nothing, and more than was held. */
const quantities = [5, 5, 5, 3, holdMicros, holdMicros, 0, 1, holdMicros + 3, 300] as const;

const odd: readonly UpstreamScript[] = [
  { kind: 'unknown', ran: true },
  { kind: 'unknown', ran: false },
  { kind: 'not_executed', reason: 'invalid_request' },
  { kind: 'not_executed', reason: 'unavailable' },
  { kind: 'not_executed', reason: 'unavailable' },
  { kind: 'not_executed', reason: 'rate_limited' },
  { kind: 'fails', pollsBefore: 1 },
  unmeasured([]),
  unmeasured([{ unit: 'input_text_tokens', quantity: -5, confirmed: true }]),
];

/** Draws what will become of a hand-over: in three cases of four it is carried out, with a measure. */
export const drawUpstreamScript = (random: Random, of: Handed): UpstreamScript => {
  const script = odd[random.below(odd.length)];
  if (script === undefined || random.below(4) < 3) return answers(of, random.pick(quantities), random.below(3));
  // An item is answered at once, or not at all.
  return script.kind === 'fails' && of === 'item' ? { kind: 'not_executed', reason: 'failed' } : script;
};
