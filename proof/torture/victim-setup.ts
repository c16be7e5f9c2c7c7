import type { TariffInput } from 'tollgate';
import type { StoreChoice } from './store-choice.ts';

/** A gateway serves, and does background work like a worker, which does nothing else. */
export type VictimRole = 'gateway' | 'worker';

/** How a process that will be killed is set up. */
export interface VictimSetup {
  readonly store: StoreChoice;
  /** Of the upstream, which is the reference upstream, up to the version. */
  readonly upstreamUrl: string;
  /** The share of its upstream's answers that it loses, for a negative control. */
  readonly lostShare?: number;
  /** What it serves: chats by default, or every resource type (proof/kinds). */
  readonly serves?: 'kinds' | 'forgetful kinds';
}

/** How a process is named on what it is in charge of. */
export const ownerOf = (pid: number): string => `victim-${pid}`;

/** What the parent says to it. */
export type VictimOrder =
  /** Until then it has loaded its code and opened nothing. */
  | { readonly kind: 'start'; readonly role: VictimRole }
  | { readonly kind: 'deposit'; readonly accountId: string; readonly amountMicros: string; readonly reference: string };

/** What it says to the parent. */
export type VictimWord =
  | { readonly kind: 'loaded' }
  | { readonly kind: 'listening'; readonly origin: string }
  /** A worker that is at work. */
  | { readonly kind: 'working' }
  /** A step was made durable just now; said again and again, so that silence tells of a process that could renew nothing. */
  | { readonly kind: 'beat' }
  /** The deposit was confirmed by the gateway, and so must outlive everything. */
  | { readonly kind: 'deposited'; readonly reference: string };

export const model = 'flash-2.5';

/** One micro-credit a token in, four a token out, so that the reference upstream can do the sum by itself. */
export const tortureTariff: TariffInput = {
  version: 'torture-1',
  models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '4' }, holdMinimum: '0.001' } },
};

/**
 * Short ones, so that what a killed process leaves behind is processed within the run. Usage is rolled up without a pause, so that
 * many kills come in the middle of it: the audit compares it with the entries.
 */
export const tortureLimits = { leaseMs: 1_500, renewMs: 500, sweepMs: 300, usageRollUpMs: 5, executionMs: 20_000 };
