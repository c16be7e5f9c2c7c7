import type { HostEventRecord } from '@tollgate/storage';
import { concludeHostEvent, type ConcludeHostEventCommand } from '../decisions/conclude-host-event.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';
import { withDeadline } from '../workers/with-deadline.ts';
import { hookCallOf } from './call-hook.ts';
import type { HostHooks } from './host-hooks.ts';

/** Events whose functions run at once in this process. */
const callsMax = 64;
/** How long an event waits where this process has no room for it, or no function. */
const postponedMs = 2_000;

/** The functions of a host, and how long one of them may take. */
export interface HostEventOptions {
  readonly hooks: HostHooks;
  /** Below the lease of a claim, so that no other process delivers the same event meanwhile. */
  readonly timeoutMs: number;
}

/** The events that functions of this process are taking. */
export interface HostEventCalls {
  /** Hands a claimed event to its function; resolves when that has begun or is put off, not when it was taken. */
  take(event: HostEventRecord): Promise<void>;
  /** Resolves when no function runs. */
  idle(): Promise<void>;
}

type Outcome = ConcludeHostEventCommand['outcome'];

const conclude = async (engine: Engine, event: HostEventRecord, outcome: Outcome): Promise<void> => {
  const [byte = 0] = outcome.kind === 'failed' ? engine.randomBytes(1) : [];
  const command = { event, outcome, random: byte / 256, anomalyId: engine.newId() };
  const end = await commitOnce(engine, concludeHostEvent(command));
  if (end === 'given_up')
    engine.logger.error('an event was given up: no function of the host took it', {
      code: 'host_event_given_up',
      eventId: event.id,
      kind: event.kind,
      operationId: event.operationId,
      accountId: event.accountId,
    });
};

const call = async (
  engine: Engine,
  timeoutMs: number,
  event: HostEventRecord,
  run: NonNullable<ReturnType<typeof hookCallOf>>,
): Promise<void> => {
  let outcome: Outcome = { kind: 'taken' };
  try {
    await withDeadline(engine.clock, { ms: Math.min(timeoutMs, engine.limits.leaseMs / 2) }, async (signal) =>
      run({ signal }),
    );
  } catch (cause) {
    outcome = { kind: 'failed' };
    const { id: eventId, kind, operationId, attempts } = event;
    engine.logger.warn('a function of the host failed with an event', {
      code: 'host_event_failed',
      eventId,
      kind,
      operationId,
      attempts: attempts + 1,
      cause,
    });
  }
  try {
    await conclude(engine, event, outcome);
  } catch (cause) {
    // The claim runs out, and it is delivered again: at least once is the promise.
    engine.logger.error('an event of the host could not be concluded', {
      eventId: event.id,
      operationId: event.operationId,
      cause,
    });
  }
};

/** The calls of one process to the functions of its host. */
export const createHostEventCalls = (engine: Engine, { hooks, timeoutMs }: HostEventOptions): HostEventCalls => {
  const running = new Set<Promise<void>>();
  return {
    take: async (event) => {
      const run = hookCallOf(hooks, event);
      if (run === null || running.size >= callsMax)
        return conclude(engine, event, { kind: 'postponed', afterMs: postponedMs });
      const one = call(engine, timeoutMs, event, run).finally(() => {
        running.delete(one);
      });
      running.add(one);
    },
    idle: async () => {
      while (running.size > 0) await Promise.all(running);
    },
  };
};
