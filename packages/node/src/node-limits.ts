/** What one connection may take. */
export interface NodeLimits {
  /** How long a client may take to send its body. */
  readonly bodyMs: number;
  /** How much of a body that is too large is still taken in and thrown away, so that the client gets to read the refusal. */
  readonly discardedBytesMax: number;
  /** How long a client may take to read its answer, or to make room for the next piece of a stream; whoever does not read holds it in memory. */
  readonly answerMs: number;
}

export const defaultNodeLimits: NodeLimits = { bodyMs: 60_000, discardedBytesMax: 8_388_608, answerMs: 60_000 };
