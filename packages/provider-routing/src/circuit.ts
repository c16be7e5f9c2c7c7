/** Counts failures, and stops calls for a while when there are too many. Pure data; times come from outside. */
export type Circuit =
  /** Lets everything through. */
  | { readonly kind: 'closed'; readonly epoch: number; readonly failures: number }
  /** Lets nothing through until then. */
  | { readonly kind: 'open'; readonly epoch: number; readonly untilMs: number }
  /** Lets a few through, to see. */
  | { readonly kind: 'half_open'; readonly epoch: number; readonly probes: number };

export interface CircuitLimits {
  /** Failures one after another that open it. */
  readonly failuresMax: number;
  readonly openMs: number;
  /** Calls at the same time that may probe whether it can be closed. */
  readonly probesMax: number;
}

/** What a call says of the health of an upstream. A refused content says nothing. */
export type CallHealth = 'good' | 'bad' | 'silent';

export const closedCircuit: Circuit = { kind: 'closed', epoch: 0, failures: 0 };

export type Entry =
  /** The epoch is to be handed to `leaveCircuit`. */
  | { readonly kind: 'admitted'; readonly circuit: Circuit }
  | { readonly kind: 'refused'; readonly retryAfterMs: number };

/** Whether a call may be made now. */
export const enterCircuit = (circuit: Circuit, nowMs: number, { probesMax, openMs }: CircuitLimits): Entry => {
  switch (circuit.kind) {
    case 'closed':
      return { kind: 'admitted', circuit };
    case 'open': {
      const retryAfterMs = circuit.untilMs - nowMs;
      if (retryAfterMs > 0) return { kind: 'refused', retryAfterMs };
      return { kind: 'admitted', circuit: { kind: 'half_open', epoch: circuit.epoch + 1, probes: 1 } };
    }
    case 'half_open': {
      // Unknown until a probe has a response; as long as it was closed is as good a guess as any.
      if (circuit.probes >= probesMax) return { kind: 'refused', retryAfterMs: openMs };
      return { kind: 'admitted', circuit: { ...circuit, probes: circuit.probes + 1 } };
    }
  }
};

/** What a call that entered in `epoch` makes of the circuit. One that entered before the last change says nothing any more. */
export const leaveCircuit = (
  circuit: Circuit,
  epoch: number,
  health: CallHealth,
  { failuresMax, untilMs }: { readonly failuresMax: number; readonly untilMs: number },
): Circuit => {
  if (circuit.epoch !== epoch) return circuit;
  const next = epoch + 1;
  switch (circuit.kind) {
    case 'open':
      return circuit;
    case 'closed': {
      if (health === 'silent') return circuit;
      const failures = health === 'good' ? 0 : circuit.failures + 1;
      return failures >= failuresMax ? { kind: 'open', epoch: next, untilMs } : { ...circuit, failures };
    }
    case 'half_open': {
      if (health === 'good') return { kind: 'closed', epoch: next, failures: 0 };
      return health === 'bad' ? { kind: 'open', epoch: next, untilMs } : { ...circuit, probes: circuit.probes - 1 };
    }
  }
};
