import type { TariffInput } from 'tollgate';
import type { StoreChoice } from '../torture/store-choice.ts';

/** How a gateway under load is set up. */
export interface SoakSetup {
  readonly store: StoreChoice;
  /** Up to the version. */
  readonly upstreamUrl: string;
  readonly clock: FastClock;
  /** How long records are kept. */
  readonly recordDays: number;
}

/** The store's clock runs so many times as fast as the machine's, so that what is kept for days is swept within the run. */
export interface FastClock {
  readonly startMs: number;
  readonly speed: number;
}

export const readClock = ({ startMs, speed }: FastClock): number =>
  Math.round(startMs + (Date.now() - startMs) * speed);

/** What the parent says to it. */
export type SoakOrder =
  | { readonly kind: 'measure' }
  | { readonly kind: 'deposit'; readonly accountId: string; readonly reference: string };

/** Of one process, since it was measured last. */
export interface ProcessFigures {
  readonly residentBytes: number;
  readonly heapBytes: number;
  readonly loopDelayP99Ms: number;
  readonly errors: number;
}

/** What it says to the parent. */
export type SoakWord =
  | { readonly kind: 'listening'; readonly origin: string }
  | { readonly kind: 'measured'; readonly figures: ProcessFigures };

export const model = 'flash-2.5';
export const depositMicros = 1_000_000n;

export const soakTariff: TariffInput = {
  version: 'soak-1',
  models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '4' }, holdMinimum: '0.001' } },
};

const hour = 3_600_000;
const leaseMs = 30_000;
const decideAfterMs = 20_000;

/** What timers take, and so the longest that a gateway accepts. */
const waitMsMax = 2 ** 31 - 1;

/** Lengths that the store's clock measures are as long for a waiting task as they would be by a clock of common speed. */
export const limitsAt = (speed: number, recordDays: number) => ({
  leaseMs: Math.min(leaseMs * speed, waitMsMax),
  renewMs: Math.min(10_000, Math.floor(waitMsMax / speed / 5)),
  sweepMs: 1_000,
  executionMs: 20_000,
  settlementRetryMs: Math.min(10_000 * speed, waitMsMax),
  answerKeptMs: 24 * hour,
  recordKeptMs: recordDays * 24 * hour,
});

/** No operator is there to decide what is uncertain, and holds must not pile up. */
export const decideUncertainAt = (speed: number) => ({
  afterMs: decideAfterMs * speed,
  verdict: 'charge_hold' as const,
});
