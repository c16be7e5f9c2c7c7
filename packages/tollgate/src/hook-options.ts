import {
  callable,
  checkOf,
  faultAt,
  list,
  oneOf,
  optionsCheck,
  timerMs,
  whole,
} from '@tollgate/contract/configuration';
import { createHostEventCalls, type Engine, type HostEventCalls, type HostEventOptions } from '@tollgate/engine';
import { hostEventKinds, type HostEventKind, type HostEventPolicy } from '@tollgate/engine/decisions';
import type { HookFailurePolicy, OnRequest, RequestHook } from '@tollgate/routes';

type HostHooks = HostEventOptions['hooks'];

/** The function that takes events of a kind. */
type Hear<Kind extends HostEventKind> = NonNullable<HostHooks[Kind]>;

/** Functions of the host, in its own process. Those that take events hear of each at least once, in any order. */
export interface HookOptions {
  /**
   * Asked about each charged request after it was authenticated and read, and before anything is reserved: it refuses, has another
   * model run, or notes tags. A repeat under an Idempotency-Key that is in use is not asked about again.
   */
  readonly onRequest?: OnRequest | undefined;
  /** How long `onRequest` may take (default 2,000); then it has failed. */
  readonly timeoutMs?: number | undefined;
  /**
   * What becomes of a request whose `onRequest` takes too long, throws, or returns what is no decision: `refuse` (default) returns
   * 503, `pass` lets it go on as it was asked. Either is logged with the code `on_request_failed`.
   */
  readonly onFailure?: HookFailurePolicy | undefined;
  /** Takes an event for each operation that was settled. */
  readonly onSettled?: Hear<'settled'> | undefined;
  /** Takes an event each time that a balance falls below its threshold. */
  readonly onLowBalance?: Hear<'low_balance'> | undefined;
  /** Takes an event each time that another share of a topped-up balance is used up. */
  readonly onThreshold?: Hear<'threshold'> | undefined;
  /** Takes an event for each operation that became uncertain. */
  readonly onUncertain?: Hear<'uncertain'> | undefined;
  /** Takes an event for each anomaly: evidence that contradicts a record. */
  readonly onAnomaly?: Hear<'anomaly'> | undefined;
  /** The threshold of `onLowBalance` for accounts without one of their own (`admin.setLowBalance`); by default none. */
  readonly lowBalanceMicros?: bigint | undefined;
  /** The shares of `onThreshold`, in percent (default 50, 80 and 100). */
  readonly shares?: readonly number[] | undefined;
  /** Events that this process writes although another one has the function that takes them. */
  readonly events?: readonly HostEventKind[] | undefined;
  /** How long a function may take with one event (default 10,000); then it gets the event again later. */
  readonly eventTimeoutMs?: number | undefined;
}

const timeoutMsDefault = 2_000;
const eventTimeoutMsDefault = 10_000;
const sharesDefault = [50, 80, 100] as const;

/** What is accepted of the hooks of a host. */
export const hookOptionsCheck = optionsCheck<HookOptions>({
  onRequest: callable(),
  timeoutMs: timerMs({ min: 1 }),
  onFailure: oneOf('refuse', 'pass'),
  onSettled: callable(),
  onLowBalance: callable(),
  onThreshold: callable(),
  onUncertain: callable(),
  onAnomaly: callable(),
  lowBalanceMicros: checkOf<bigint>((value, place) =>
    typeof value === 'bigint' && value > 0n
      ? []
      : faultAt(
          place,
          'is no such amount',
          "is a bigint of micro-credits above 0, as microsFromCredits('2.5') returns",
        ),
  ),
  shares: list(whole({ min: 1, max: 100 })),
  events: list(oneOf(...hostEventKinds)),
  eventTimeoutMs: timerMs({ min: 1 }),
});

interface WithHooks {
  readonly hooks?: HookOptions | undefined;
}

/** The hook that is asked about requests; null where the host has none. */
export const requestHookOf = ({ hooks = {} }: WithHooks): RequestHook | null => {
  const { onRequest, timeoutMs = timeoutMsDefault, onFailure = 'refuse' } = hooks;
  return onRequest === undefined ? null : { onRequest, timeoutMs, onFailure };
};

const hostHooksOf = ({ onSettled, onLowBalance, onThreshold, onUncertain, onAnomaly }: HookOptions): HostHooks => ({
  settled: onSettled,
  low_balance: onLowBalance,
  threshold: onThreshold,
  uncertain: onUncertain,
  anomaly: onAnomaly,
});

const heardKinds = (hooks: HostHooks): readonly HostEventKind[] =>
  hostEventKinds.filter((kind) => hooks[kind] !== undefined);

/** Which events the steps of this gateway write; undefined where none. */
export const hostEventPolicyOf = ({ hooks = {} }: WithHooks): HostEventPolicy | undefined => {
  const { events = [], lowBalanceMicros = null, shares = sharesDefault } = hooks;
  const kinds = new Set([...heardKinds(hostHooksOf(hooks)), ...events]);
  return kinds.size === 0 ? undefined : { kinds, lowBalanceMicros, shares };
};

/** The calls of this process to functions that take events; null where it has none. */
export const hostEventCallsOf = ({ hooks = {} }: WithHooks, engine: Engine): HostEventCalls | null => {
  const own = hostHooksOf(hooks);
  const { eventTimeoutMs: timeoutMs = eventTimeoutMsDefault } = hooks;
  return heardKinds(own).length === 0 ? null : createHostEventCalls(engine, { hooks: own, timeoutMs });
};
