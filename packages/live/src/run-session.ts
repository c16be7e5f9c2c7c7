import type { LiveClientMessage } from '@tollgate/contract';
import {
  callerOf,
  liveSetupOf,
  keptAttempt,
  liveLedger,
  reserveSession,
  takeLiveAccess,
  type Engine,
  type HeldPlace,
  type LiveCredential,
  type LiveEnd,
  type LiveLedger,
  type LiveUseOutcome,
} from '@tollgate/engine';
import {
  isNotExecuted,
  NotExecuted,
  type Attempt,
  type LiveEvent,
  type LiveUpstream,
  type Usage,
} from '@tollgate/provider';
import type { AttemptRecord, LiveSessionRecord, OperationRecord } from '@tollgate/storage';
import { closeCodes } from './close-code.ts';
import { watchLife } from './watch-life.ts';
import type { LiveLimits } from './live-limits.ts';
import type { LiveModel } from './live-model.ts';
import type { LiveSocket } from './live-socket.ts';
import type { SessionInput, SessionTimer } from './session-input.ts';
import type { SessionOutput } from './session-output.ts';
import { firstState, type SessionState } from './session-state.ts';
import { audioBytesOf } from './audio-bytes.ts';
import { passFrame } from './pass-frame.ts';
import { messageLength } from './sending.ts';
import { passesBytes, stepSession } from './step-session.ts';

export interface SessionOptions {
  readonly engine: Engine;
  readonly findModel: (model: string) => LiveModel | null;
  readonly limits: LiveLimits;
  readonly socket: LiveSocket;
  readonly onKnown: () => void;
  readonly onUsage: (usage: readonly Usage[]) => void;
}

/** A session under way in this process. */
export interface RunningSession {
  readonly drain: () => void;
  /** Resolves when its operation is concluded, or where it has none, its socket is closed. Never rejects. */
  readonly end: Promise<void>;
}

/** Upstream requests recorded of one session at the most: every reconnection is one. */
const attemptsMax = 64;

interface Session extends SessionOptions {
  readonly attempts: AttemptRecord[];
  readonly timers: Map<SessionTimer, () => void>;
  readonly connecting: AbortController;
  readonly resolve: () => void;
  state: SessionState;
  operation: OperationRecord | null;
  record: LiveSessionRecord | null;
  model: LiveModel | null;
  operationLedger: LiveLedger | null;
  /** Among what its caller runs at once. */
  place: HeldPlace | null;
  upstream: LiveUpstream | null;
  openedAtMs: number | null;
  /** When the client was out, where the upstream was waited for a while longer. */
  closedAtMs: number | null;
  known: boolean;
}

const tell = (session: Session, input: SessionInput): void => {
  const { state, outputs } = stepSession(session.limits, session.state, input);
  session.state = state;
  if (state.phase === 'finishing') session.closedAtMs ??= session.engine.clock.monotonicMs();
  for (const output of outputs) perform(session, output);
  if (!session.known && state.phase !== 'waiting' && state.phase !== 'authenticating') {
    session.known = true;
    session.onKnown();
  }
  // A session without an operation has nothing to conclude.
  if (state.phase === 'ended' && session.operationLedger === null) session.resolve();
};

const perform = (session: Session, output: SessionOutput): void => {
  switch (output.kind) {
    case 'send':
      return sendToClient(session, output.text);
    case 'send_bytes':
      return sendToClient(session, output.utf8);
    case 'close':
      return session.socket.close(closeCodes[output.reason]);
    case 'terminate':
      return session.socket.terminate();
    case 'take_access':
      return void takeAccess(session, output.credential);
    case 'connect':
      return void connect(session);
    case 'give_up_connect':
      return session.connecting.abort();
    case 'to_upstream':
      return sendToUpstream(session, output.message);
    case 'close_upstream':
      return session.upstream?.close();
    case 'record_use':
      return void recordUse(session, output);
    case 'cover':
      return void cover(session, output.sentMicros);
    case 'end':
      return void end(session, output.end);
    case 'set_timer':
      return setTimer(session, output);
    case 'clear_timer':
      return clearTimer(session, output.timer);
  }
};

/** Told after the step under way, so that no step is taken inside another. */
const tellNext = (session: Session, input: SessionInput): void => queueMicrotask(() => tell(session, input));

/** A client that does not read is cut off before what waits for it fills the memory. */
const sendToClient = (session: Session, text: string | Uint8Array): void => {
  const { socket, limits } = session;
  if (socket.bufferedBytes() + text.length > limits.bufferedBytesMax) tellNext(session, { kind: 'client_stalled' });
  else socket.send(text);
};

const sendToUpstream = (session: Session, message: LiveClientMessage): void => {
  const { upstream, limits } = session;
  if (upstream === null) return;
  if (upstream.bufferedBytes() + messageLength(message) > limits.bufferedBytesMax)
    tellNext(session, { kind: 'upstream_stalled' });
  else upstream.send(message);
};

const takeFrame = (session: Session, utf8: Buffer): void => {
  const passed = passFrame(session.limits, session.state, utf8);
  if (passed === null) return tell(session, { kind: 'frame', utf8 });
  session.state = passed.state;
  sendToUpstream(session, passed.message);
};

/** A session ends when its access says so, if that is earlier than any session ends. */
const lengthMsOf = ({ record, engine }: Session, ms: number): number => {
  const untilMs = record === null ? null : liveSetupOf(record).untilMs;
  return untilMs === null ? ms : Math.max(0, Math.min(ms, untilMs - engine.clock.wallClockMs()));
};

const setTimer = (session: Session, { timer, ms }: { readonly timer: SessionTimer; readonly ms: number }): void => {
  clearTimer(session, timer);
  const dueMs = timer === 'length' ? lengthMsOf(session, ms) : ms;
  session.timers.set(
    timer,
    session.engine.clock.after(dueMs, () => tell(session, { kind: 'timer', timer })),
  );
};

const clearTimer = ({ timers }: Session, timer: SessionTimer): void => {
  timers.get(timer)?.();
  timers.delete(timer);
};

const takeAccess = async (session: Session, credential: LiveCredential): Promise<void> => {
  const { engine } = session;
  try {
    const taken = await takeLiveAccess(engine, credential, session.socket.origin);
    if (taken.kind === 'refused') return tell(session, { kind: 'access_refused' });
    const { operation, session: record } = taken;
    session.operation = operation;
    session.record = record;
    const operationLedger = liveLedger(engine, operation);
    session.operationLedger = operationLedger;
    session.model = session.findModel(operation.model);
    const place = await reserveSession(engine, operation);
    if (place?.kind === 'refused')
      return tell(session, { kind: 'access_limited', code: place.code, detail: place.detail });
    session.place = place;
    tell(session, { kind: 'access_taken', sessionKind: session.model?.kind ?? 'live', operationLedger });
  } catch (cause) {
    engine.logger.error('the access of a session could not be taken', { operationId: credential.id, cause });
    tell(session, { kind: 'access_unknown' });
  }
};

const openUpstream = (session: Session): Promise<LiveUpstream> => {
  const { model, operation, record, attempts, operationLedger } = session;
  if (model?.provider.live === undefined || operation === null || record === null)
    throw new NotExecuted({ reason: 'unavailable' });
  const { provider, upstreamModel, kind } = model;
  const recordAttempt = (attempt: Attempt): void => {
    if (attempts.length < attemptsMax) attempts.push(keptAttempt(provider.name, attempt));
  };
  const call = { operationId: operation.id, upstreamModel, kind, config: liveSetupOf(record).config };
  return model.provider.live.connect(call, {
    caller: callerOf(operation),
    signal: session.connecting.signal,
    upstreamHeaders: operationLedger?.headersFor(provider.name),
    recordAttempt,
  });
};

const connect = async (session: Session): Promise<void> => {
  const { engine } = session;
  try {
    const upstream = await openUpstream(session);
    // One that comes after its caller gave up is let go at once.
    if (session.state.phase === 'ended') return upstream.close();
    session.upstream = upstream;
    session.openedAtMs = engine.clock.monotonicMs();
    tell(session, { kind: 'upstream_open' });
    upstream.onEvent((event) => {
      if (event.kind === 'bytes' && passesBytes(session.state)) return sendToClient(session, event.utf8);
      if (event.kind === 'usage') session.onUsage(event.usage);
      tell(session, toInput(session, event));
    });
  } catch (cause) {
    engine.logger.warn('a session was not opened upstream', { operationId: session.operation?.id, cause });
    tell(session, { kind: 'upstream_failed', executed: isNotExecuted(cause) ? 'no' : 'unknown' });
  }
};

const toInput = ({ model }: Session, event: LiveEvent): SessionInput => {
  switch (event.kind) {
    case 'message': {
      const { text, body } = event.message;
      return { kind: 'upstream_message', text, audioBytes: model?.kind === 'music' ? audioBytesOf(body) : 0 };
    }
    case 'bytes':
      return { kind: 'upstream_bytes', utf8: event.utf8 };
    case 'usage':
      return { kind: 'upstream_usage', usage: event.usage };
    case 'closed':
      return { kind: 'upstream_closed', cause: event.cause, measured: event.measured };
  }
};

const secondsOpen = ({ engine, openedAtMs, closedAtMs }: Session): number =>
  openedAtMs === null ? 0 : Math.ceil(((closedAtMs ?? engine.clock.monotonicMs()) - openedAtMs) / 1_000);

const recordUse = async (
  session: Session,
  { usage, measured, sentMicros }: Extract<SessionOutput, { readonly kind: 'record_use' }>,
): Promise<void> => {
  const { operationLedger, engine, operation } = session;
  if (operationLedger === null) return;
  try {
    const recorded = await operationLedger.recordUse({ usage, seconds: secondsOpen(session), sentMicros });
    tell(session, { kind: 'recorded', outcome: recorded, measured });
  } catch (cause) {
    // What is noted is the sum: the next note makes up for this one.
    engine.logger.warn('the use of a session could not be noted', { operationId: operation?.id, cause });
  }
};

/** Nothing is sent that could not be held for: where the storage cannot say, the session ends. */
const cover = async (session: Session, sentMicros: bigint): Promise<void> => {
  const { operationLedger, engine, operation } = session;
  if (operationLedger === null) return;
  let held: LiveUseOutcome = 'ended';
  try {
    held = await operationLedger.cover(sentMicros);
  } catch (cause) {
    engine.logger.warn('the hold of a session could not be extended', { operationId: operation?.id, cause });
  }
  tell(session, { kind: 'held', outcome: held });
};

const end = async (session: Session, how: LiveEnd): Promise<void> => {
  await session.operationLedger?.end({ ...how, seconds: secondsOpen(session) }, session.attempts);
  await session.place?.release(0);
  session.resolve();
};

/** Runs the protocol over a socket until its operation is concluded. */
export const runSession = (options: SessionOptions): RunningSession => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { socket, limits, engine } = options;
  const session: Session = {
    ...options,
    attempts: [],
    timers: new Map(),
    connecting: new AbortController(),
    resolve,
    state: firstState,
    operation: null,
    record: null,
    model: null,
    operationLedger: null,
    place: null,
    upstream: null,
    openedAtMs: null,
    closedAtMs: null,
    known: false,
  };
  setTimer(session, { timer: 'first_frame', ms: limits.firstFrameMs });
  const stopWatching = watchLife({ socket, limits, after: engine.clock.after }, () =>
    tell(session, { kind: 'client_stalled' }),
  );
  socket.onMessage((utf8) => (utf8 === null ? tell(session, { kind: 'binary_frame' }) : takeFrame(session, utf8)));
  socket.onClose(() => {
    stopWatching();
    tell(session, { kind: 'client_closed' });
  });
  return { drain: () => tell(session, { kind: 'drain' }), end: promise };
};
