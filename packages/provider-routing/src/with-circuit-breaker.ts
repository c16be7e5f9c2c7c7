import { callable, oneOf, optionsCheck, whole } from '@tollgate/contract/configuration';
import { isNotExecuted, NotExecuted, type Provider } from '@tollgate/provider';
import { isUpstreamFailure } from './ask-in-order.ts';
import {
  closedCircuit,
  enterCircuit,
  leaveCircuit,
  type CallHealth,
  type Circuit,
  type CircuitLimits,
} from './circuit.ts';
import type { Invocation } from './invocation.ts';
import { providerOfOne } from './routed-provider.ts';
import { checkRouting } from './check-routing.ts';

export interface CircuitBreakerOptions {
  /** Failures one after another after which nothing is sent for a while (default 5). */
  readonly failuresMax?: number;
  /** How long nothing is sent where the provider does not say when to come back (default 30,000). */
  readonly openMs?: number;
  /** Calls at the same time that see whether the upstream is back (default 1). */
  readonly probesMax?: number;
  /** Whether a failing model stops the others (default `provider`: it does). */
  readonly per?: 'provider' | 'model';
  /** Models whose failures are remembered; the one longest unheard of is forgotten (default 1,000). */
  readonly modelsMax?: number;
  readonly now?: () => number;
}

const breakerCheck = optionsCheck<CircuitBreakerOptions>({
  failuresMax: whole({ min: 1 }),
  openMs: whole(),
  probesMax: whole({ min: 1 }),
  per: oneOf('provider', 'model'),
  modelsMax: whole({ min: 1 }),
  now: callable(),
});

const failuresMaxDefault = 5;
const openMsDefault = 30_000;
const probesMaxDefault = 1;
const modelsMaxDefault = 1_000;

interface Breaker {
  readonly provider: Provider;
  readonly circuits: Map<string, Circuit>;
  readonly limits: CircuitLimits;
  readonly per: 'provider' | 'model';
  readonly modelsMax: number;
  readonly now: () => number;
}

/**
 * Sends nothing to a provider that has failed too often in a row, and refuses instead (`unavailable`, with the time to come
 * back). After `openMs`, or the time that the provider asked for in the last failure, a few calls probe; the first that succeeds
 * closes the circuit, the first that fails opens it again. A failure is an upstream that is busy, out of reach, failing or of
 * unknown outcome; a refused content or credentials that are refused are none.
 */
export const withCircuitBreaker = (provider: Provider, options: CircuitBreakerOptions = {}): Provider => {
  checkRouting('withCircuitBreaker', [provider], breakerCheck, options);
  const breaker: Breaker = {
    provider,
    circuits: new Map(),
    limits: {
      failuresMax: options.failuresMax ?? failuresMaxDefault,
      openMs: options.openMs ?? openMsDefault,
      probesMax: options.probesMax ?? probesMaxDefault,
    },
    per: options.per ?? 'provider',
    modelsMax: options.modelsMax ?? modelsMaxDefault,
    now: options.now ?? Date.now,
  };
  return providerOfOne(provider, (invocation) => askThrough(breaker, invocation));
};

const askThrough = async <Answer>(breaker: Breaker, invocation: Invocation<Answer>): Promise<Answer> => {
  const key = breaker.per === 'model' ? `model ${invocation.upstreamModel ?? ''}` : '';
  const epoch = enter(breaker, key);
  try {
    const answer = await invocation.ask(breaker.provider);
    leave(breaker, { key, epoch, health: 'good', openMs: breaker.limits.openMs });
    return answer;
  } catch (failure) {
    leave(breaker, { key, epoch, health: healthOf(failure), openMs: openMsAfter(failure, breaker.limits) });
    throw failure;
  }
};

/** What else was thrown left the outcome unknown: the upstream was cut, or took too long. */
const healthOf = (failure: unknown): CallHealth =>
  isNotExecuted(failure) && !isUpstreamFailure(failure) ? 'silent' : 'bad';

/** What the upstream itself asks for, where it does, counts for more than the host's guess. */
const openMsAfter = (failure: unknown, { openMs }: CircuitLimits): number => {
  const asked = isNotExecuted(failure) ? (failure.retryAfterMs ?? 0) : 0;
  return asked > 0 ? asked : openMs;
};

const enter = (breaker: Breaker, key: string): number => {
  const { circuits, limits, now } = breaker;
  const entry = enterCircuit(circuits.get(key) ?? closedCircuit, now(), limits);
  if (entry.kind === 'refused') {
    const { retryAfterMs } = entry;
    throw new NotExecuted({ reason: 'unavailable', cause: 'the circuit is open', retryAfterMs });
  }
  remember(breaker, key, entry.circuit);
  return entry.circuit.epoch;
};

interface Leaving {
  readonly key: string;
  readonly epoch: number;
  readonly health: CallHealth;
  /** How long nothing is sent, should it open. */
  readonly openMs: number;
}

const leave = (breaker: Breaker, { key, epoch, health, openMs }: Leaving): void => {
  const { circuits, limits, now } = breaker;
  const circuit = circuits.get(key);
  // Forgotten in the meantime.
  if (circuit === undefined) return;
  const untilMs = now() + openMs;
  remember(breaker, key, leaveCircuit(circuit, epoch, health, { failuresMax: limits.failuresMax, untilMs }));
};

/** The map keeps the order of its keys; what is written anew goes to the end. */
const remember = ({ circuits, modelsMax }: Breaker, key: string, circuit: Circuit): void => {
  circuits.delete(key);
  circuits.set(key, circuit);
  const [oldest] = circuits.keys();
  if (circuits.size > modelsMax && oldest !== undefined) circuits.delete(oldest);
};
