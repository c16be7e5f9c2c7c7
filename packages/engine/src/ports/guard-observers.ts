import type { Logger } from './logger.ts';
import type { LineIds } from './line-ids.ts';
import { traceCharsMax, type Observe, type ObservedEvent, type Observer } from './observer.ts';

/** What an engine asks of its observers; nothing of it throws. */
export interface GuardedObservers {
  /** Null where no one observes. */
  readonly observe: Observe | null;
  /** Of the first observer that has any; null where none has. */
  readonly upstreamHeaders: NonNullable<Observer['upstreamHeaders']> | null;
  /** Of the first observer that has one. */
  readonly traceOf: NonNullable<Observer['traceOf']> | null;
}

const operationIdOf = (event: ObservedEvent): string | undefined => {
  if ('operationId' in event) return event.operationId;
  return 'operation' in event ? event.operation.id : undefined;
};

/** What an event is about. Asked for only where its observer failed. */
const idsOf = (event: ObservedEvent): LineIds => ({
  requestId: 'requestId' in event ? (event.requestId ?? undefined) : undefined,
  operationId: operationIdOf(event),
  deliveryId: event.kind === 'delivery' ? event.deliveryId : undefined,
});

/** Runs what an observer does; where that throws, the error is logged and `otherwise` stands for what was asked. */
const guardWith =
  (logger: Logger) =>
  <T>(about: string, ids: () => LineIds, run: () => T, otherwise: T): T => {
    try {
      return run();
    } catch (cause) {
      logger.error('an observer failed', { ...ids(), code: 'observer_failed', about, cause });
      return otherwise;
    }
  };

/** Calls observers so that what they throw is logged and harms no request. */
export const guardObservers = (observers: readonly Observer[], logger: Logger): GuardedObservers => {
  const guarded = guardWith(logger);
  const { upstreamHeaders } = observers.find((each) => each.upstreamHeaders !== undefined) ?? {};
  const { traceOf } = observers.find((each) => each.traceOf !== undefined) ?? {};
  const observe: Observe = (event) => {
    for (const observer of observers)
      guarded(
        event.kind,
        () => idsOf(event),
        () => observer.observe(event),
        undefined,
      );
  };
  return {
    observe: observers.length === 0 ? null : observe,
    upstreamHeaders:
      upstreamHeaders === undefined
        ? null
        : (operationId) =>
            guarded(
              'upstream headers',
              () => ({ operationId }),
              () => upstreamHeaders(operationId),
              undefined,
            ),
    traceOf:
      traceOf === undefined
        ? null
        : (requestId) =>
            guarded(
              'a trace',
              () => ({ requestId }),
              () => traceOf(requestId)?.slice(0, traceCharsMax) ?? null,
              null,
            ),
  };
};
