import {
  createLiveEvents,
  NotExecuted,
  usageUnits,
  type Caller,
  type JsonObject,
  type LiveCall,
  type LiveEvent,
  type ProviderLive,
  type UsageUnit,
} from '@tollgate/provider';

/** What the next opening of a session does; by default it opens. `late` opens by `openLate`, whether or not it was given up. */
export type ScriptedLiveOpening = 'opens' | 'not_executed' | 'unknown' | 'hangs' | 'late';

/** A session in a test's hands. */
export interface ScriptedLiveSession {
  readonly call: LiveCall;
  /** Whose session it is. */
  readonly caller: Caller;
  /** What the client said, in order. */
  readonly heard: readonly JsonObject[];
  /** Says a message to the client. */
  readonly say: (body: JsonObject) => void;
  /** Tells the measure of a turn. */
  readonly use: (units: Readonly<Partial<Record<UsageUnit, number>>>) => void;
  /** Ends the session from the upstream's side. */
  readonly end: (how: { readonly cause: 'ended' | 'lost'; readonly measured: boolean }) => void;
  /** Whether the gateway has asked it to end. */
  readonly isClosed: () => boolean;
  /** Whether what is in hand is measured when the gateway ends it (default true); null has no last word at all. */
  lastWord: { readonly measured: boolean } | null;
  /** Bytes that it claims not to have taken in (default 0). */
  waitingBytes: number;
  /** Resolves when that many messages have come in all. */
  readonly received: (count: number) => Promise<void>;
}

export interface ScriptedLive {
  readonly live: ProviderLive;
  /** Every session so far, in the order of their opening. */
  readonly sessions: readonly ScriptedLiveSession[];
  readonly script: (...openings: readonly ScriptedLiveOpening[]) => void;
  /** Opens every session that is late. */
  readonly openLate: () => void;
}

const createSession = (call: LiveCall, caller: Caller) => {
  const events = createLiveEvents();
  const heard: JsonObject[] = [];
  let waiting: { readonly count: number; readonly resolve: () => void }[] = [];
  let closed = false;
  const emit = (event: LiveEvent): void => events.emit(event);
  const session: ScriptedLiveSession = {
    call,
    caller,
    heard,
    say: (body) => emit({ kind: 'message', message: { body, text: JSON.stringify(body) } }),
    use: (units) =>
      emit({
        kind: 'usage',
        usage: usageUnits.flatMap((unit) => {
          const quantity = units[unit];
          return quantity === undefined ? [] : [{ unit, quantity, confirmed: true }];
        }),
      }),
    end: (how) => emit({ kind: 'closed', ...how }),
    isClosed: () => closed,
    lastWord: { measured: true },
    waitingBytes: 0,
    received: (count) =>
      new Promise((resolve) => {
        if (heard.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
  const upstream = {
    send: ({ body }: { readonly body: JsonObject }) => {
      heard.push(body);
      for (const { count, resolve } of waiting) if (heard.length >= count) resolve();
      waiting = waiting.filter(({ count }) => heard.length < count);
    },
    onEvent: events.onEvent,
    bufferedBytes: () => session.waitingBytes,
    close: () => {
      closed = true;
      if (session.lastWord !== null) emit({ kind: 'closed', cause: 'ended', ...session.lastWord });
    },
  };
  return { session, upstream };
};

/** Sessions that say and use what a test tells them to. */
export const scriptedLive = (): ScriptedLive => {
  const sessions: ScriptedLiveSession[] = [];
  const openings: ScriptedLiveOpening[] = [];
  const late: (() => void)[] = [];
  return {
    sessions,
    openLate: () => {
      for (const open of late.splice(0)) open();
    },
    script: (...more) => void openings.push(...more),
    live: {
      connect: async (call, { caller, signal, recordAttempt }) => {
        const opening = openings.shift() ?? 'opens';
        const attempt = { startedAtMs: 0, durationMs: 0 };
        if (opening === 'hangs')
          await new Promise<never>((_resolve, reject) => {
            signal.addEventListener('abort', () => reject(new NotExecuted({ reason: 'cancelled' })), { once: true });
          });
        if (opening === 'late') await new Promise<void>((resolve) => late.push(resolve));
        if (opening === 'not_executed') {
          recordAttempt({ ...attempt, status: null, outcome: 'not_sent' });
          throw new NotExecuted({ reason: 'unavailable' });
        }
        if (opening === 'unknown') {
          recordAttempt({ ...attempt, status: null, outcome: 'unknown' });
          throw new Error('scripted: the opening was lost');
        }
        recordAttempt({ ...attempt, status: 101, outcome: 'answered' });
        const { session, upstream } = createSession(call, caller);
        sessions.push(session);
        return upstream;
      },
    },
  };
};
