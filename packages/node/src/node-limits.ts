import { nullable, optionsCheck, timerMs, whole, type OptionChecks } from '@tollgate/contract/configuration';

/** What one connection may take. */
export interface NodeLimits {
  /** How long a client may take to send its body. */
  readonly bodyMs: number;
  /** How much of a body that is too large is still taken in and thrown away, so that the client gets to read the refusal. */
  readonly discardedBytesMax: number;
  /** How long a client may take to read its answer, or to make room for the next piece of a stream; a client that does not read holds it in memory. */
  readonly answerMs: number;
  /**
   * How often a client that waits for its response is notified that it is still in progress (102), where it comes without a proxy and is
   * known to read that; null reports nothing.
   */
  readonly processingMs: number | null;
}

export const defaultNodeLimits: NodeLimits = {
  bodyMs: 60_000,
  discardedBytesMax: 8_388_608,
  answerMs: 60_000,
  processingMs: 120_000,
};

/** Every limit by its name. */
export const nodeLimitChecks: OptionChecks<Partial<NodeLimits>> = {
  bodyMs: timerMs({ min: 1 }),
  discardedBytesMax: whole(),
  answerMs: timerMs({ min: 1 }),
  processingMs: nullable(timerMs({ min: 1 })),
};

/** Every limit in its bounds. */
export const nodeLimitsCheck = optionsCheck<Partial<NodeLimits>>(nodeLimitChecks);
