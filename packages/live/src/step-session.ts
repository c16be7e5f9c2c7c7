import { parseLiveMessage } from '@tollgate/contract';
import type { LiveCovered, LiveUseOutcome } from '@tollgate/engine';
import type { CloseReason } from './close-code.ts';
import type { LiveLimits } from './live-limits.ts';
import { parseFrame, readCredential } from './read-frame.ts';
import { accessLostFrame, insufficientFrame, setupComplete, tooLongFrame, tooMuchWaitsFrame } from './server-frame.ts';
import {
  firstSending,
  hear,
  holdSent,
  measure,
  recordSent,
  offer,
  unmeasuredMicros,
  type Released,
} from './sending.ts';
import type { SessionInput, SessionTimer } from './session-input.ts';
import type { SessionOutput } from './session-output.ts';
import { nothingUsed, type SessionState, type Used } from './session-state.ts';
import { isUnopened, outputsOfUnopened } from './unopened-session.ts';
import { addAudio, addUsage, isAudioDue, audioRecorded, toUsage } from './used.ts';

export interface SessionStep {
  readonly state: SessionState;
  readonly outputs: readonly SessionOutput[];
}

type Of<P extends SessionState['phase']> = Extract<SessionState, { readonly phase: P }>;

const nothing: readonly SessionOutput[] = [];
const ended: SessionState = { phase: 'ended' };
const stay = (state: SessionState): SessionStep => ({ state, outputs: nothing });
const close = (reason: CloseReason): SessionOutput => ({ kind: 'close', reason });
const timeCancelled: readonly SessionOutput[] = [
  { kind: 'clear_timer', timer: 'time' },
  { kind: 'clear_timer', timer: 'length' },
];
const finishCancelled: SessionOutput = { kind: 'clear_timer', timer: 'finish' };

/** Why an input that ends a session, or keeps it from beginning, closes the socket; null where there is no socket left. */
const partingOf = (input: SessionInput): readonly SessionOutput[] | null => {
  switch (input.kind) {
    case 'frame':
    case 'binary_frame':
      return [close('outOfOrder')];
    case 'client_closed':
      return nothing;
    case 'client_stalled':
      return [{ kind: 'terminate' }];
    case 'drain':
      return [close('restart')];
    case 'timer':
      return input.timer === 'connect' ? [close('lost')] : null;
    case 'access_taken':
    case 'access_refused':
    case 'access_limited':
    case 'access_unknown':
    case 'upstream_open':
    case 'upstream_failed':
    case 'upstream_message':
    case 'upstream_bytes':
    case 'upstream_usage':
    case 'upstream_stalled':
    case 'upstream_closed':
    case 'recorded':
    case 'held':
      return null;
  }
};

// live:close:before-setup
/** The first frame is the access, and small. */
const stepFirstFrame = (limits: LiveLimits, utf8: Buffer): SessionStep => {
  const firstFrameCancelled: SessionOutput = { kind: 'clear_timer', timer: 'first_frame' };
  if (utf8.length > limits.firstFrameBytesMax)
    return { state: ended, outputs: [firstFrameCancelled, close('tooLarge')] };
  const credential = readCredential(parseFrame(utf8.toString('utf8')));
  return credential === null
    ? { state: ended, outputs: [firstFrameCancelled, close('outOfOrder')] }
    : {
        state: { phase: 'authenticating', clientOpen: true },
        outputs: [firstFrameCancelled, { kind: 'take_access', credential }],
      };
};

const stepWaiting = (limits: LiveLimits, state: Of<'waiting'>, input: SessionInput): SessionStep => {
  if (input.kind === 'frame') return stepFirstFrame(limits, input.utf8);
  if (input.kind === 'timer') return { state: ended, outputs: [close('firstFrameTimeout')] };
  const parting = partingOf(input);
  return parting === null
    ? stay(state)
    : { state: ended, outputs: [{ kind: 'clear_timer', timer: 'first_frame' }, ...parting] };
};

const stepAuthenticating = (limits: LiveLimits, state: Of<'authenticating'>, input: SessionInput): SessionStep => {
  const { clientOpen } = state;
  if (input.kind === 'access_taken') return stepTaken(limits, clientOpen, input);
  if (isUnopened(input)) return { state: ended, outputs: outputsOfUnopened(input, clientOpen) };
  const parting = clientOpen ? partingOf(input) : null;
  return parting === null ? stay(state) : { state: { ...state, clientOpen: false }, outputs: parting };
};

/** The access was good; for a client that has gone meanwhile nothing is handed to the upstream. */
const stepTaken = (
  limits: LiveLimits,
  clientOpen: boolean,
  { sessionKind, operationLedger }: Extract<SessionInput, { readonly kind: 'access_taken' }>,
): SessionStep =>
  clientOpen
    ? {
        state: { phase: 'connecting', clientOpen, sending: firstSending(sessionKind, operationLedger) },
        outputs: [{ kind: 'set_timer', timer: 'connect', ms: limits.connectMs }, { kind: 'connect' }],
      }
    : { state: ended, outputs: [{ kind: 'end', end: { kind: 'not_executed', errorCode: 'request_cancelled' } }] };

const stepConnecting = (limits: LiveLimits, state: Of<'connecting'>, input: SessionInput): SessionStep => {
  const { clientOpen, sending } = state;
  const firstFrameCancelled: SessionOutput = { kind: 'clear_timer', timer: 'connect' };
  if (input.kind === 'upstream_open')
    return clientOpen
      ? {
          state: { phase: 'open', used: nothingUsed, sending },
          outputs: [
            firstFrameCancelled,
            nextTime(limits),
            { kind: 'set_timer', timer: 'length', ms: limits.sessionMs },
            { kind: 'send', text: setupComplete },
          ],
        }
      : finish(limits, nothingUsed, [firstFrameCancelled]);
  if (input.kind === 'upstream_failed') {
    const errorCode = clientOpen ? 'service_unavailable' : 'request_cancelled';
    const end: SessionOutput = {
      kind: 'end',
      end: input.executed === 'no' ? { kind: 'not_executed', errorCode } : { kind: 'unknown', usage: [] },
    };
    const outputs = clientOpen
      ? [firstFrameCancelled, close('lost'), end]
      : [firstFrameCancelled, finishCancelled, end];
    return { state: ended, outputs };
  }
  // It was given up, and said nothing to that: whether it will be opened is unknown.
  if (!clientOpen && input.kind === 'timer' && input.timer === 'finish')
    return { state: ended, outputs: [firstFrameCancelled, { kind: 'end', end: { kind: 'unknown', usage: [] } }] };
  const parting = clientOpen ? partingOf(input) : null;
  return parting === null
    ? stay(state)
    : {
        state: { ...state, clientOpen: false },
        outputs: [...parting, { kind: 'set_timer', timer: 'finish', ms: limits.finishMs }, { kind: 'give_up_connect' }],
      };
};

const nextTime = ({ recordEveryMs }: LiveLimits): SessionOutput => ({
  kind: 'set_timer',
  timer: 'time',
  ms: recordEveryMs,
});

/** The use so far, and what was sent of which it says nothing yet. */
const recordUseOf = ({ used, sending }: Of<'open'>): SessionOutput => ({
  kind: 'record_use',
  usage: toUsage(used),
  measured: sending.reported,
  sentMicros: unmeasuredMicros(sending, sending.sent) ?? 0n,
});

// live:reservation:renewed
/** Time may have a price although both sides are silent. */
const stepTime = (limits: LiveLimits, state: Of<'open'>): SessionStep => ({
  state,
  outputs: [recordUseOf(state), nextTime(limits)],
});

/** No session is longer than it may be, whatever it pays. */
const stepTimer = (limits: LiveLimits, state: Of<'open'>, timer: SessionTimer): SessionStep => {
  switch (timer) {
    case 'time':
      return stepTime(limits, state);
    case 'length':
      return finish(limits, state.used, [{ kind: 'send', text: tooLongFrame }, close('normal')]);
    case 'first_frame':
    case 'connect':
    case 'finish':
      return stay(state);
  }
};

/** The client is out; the upstream is asked for its last word, and waited for a little. */
const finish = (limits: LiveLimits, used: Used, parting: readonly SessionOutput[]): SessionStep => ({
  state: { phase: 'finishing', used },
  outputs: [
    ...parting,
    ...timeCancelled,
    { kind: 'set_timer', timer: 'finish', ms: limits.finishMs },
    { kind: 'close_upstream' },
  ],
});

// live:close:bad-frame
/** One message of the client, or what closes the socket. */
const stepFrame = (limits: LiveLimits, state: Of<'open'>, utf8: Buffer): SessionStep => {
  const { used, sending } = state;
  if (utf8.length > limits.frameBytesMax) return finish(limits, used, [close('tooLarge')]);
  const messages = parseLiveMessage(sending.kind, utf8, limits.frameNodesMax);
  if (messages === null) return finish(limits, used, [close('badFrame')]);
  const offered = offer(sending, messages, limits.bufferedBytesMax);
  if (offered === 'full')
    return finish(limits, used, [
      { kind: 'send', text: tooMuchWaitsFrame(limits.bufferedBytesMax) },
      close('tooLarge'),
    ]);
  return stepReleased(limits, state, offered === 'unpriced' ? null : offered);
};

/** Where the input cannot be held for, the session cannot go on. */
const stepReleased = (limits: LiveLimits, state: Of<'open'>, released: Released | null): SessionStep =>
  released === null
    ? finish(limits, state.used, [close('lost')])
    : { state: { ...state, sending: released.sending }, outputs: released.outputs };

/** The same state where the model was heard before. */
const heardBy = (state: Of<'open'>): Of<'open'> => {
  const sending = hear(state.sending);
  return sending === state.sending ? state : { ...state, sending };
};

const stepMessage = (
  before: Of<'open'>,
  { text, audioBytes }: Extract<SessionInput, { readonly kind: 'upstream_message' }>,
): SessionStep => {
  const state = heardBy(before);
  const send: SessionOutput = { kind: 'send', text };
  if (audioBytes === 0) return { state, outputs: [send] };
  const used = addAudio(state.used, audioBytes);
  if (!isAudioDue(used)) return { state: { ...state, used }, outputs: [send] };
  const recorded = { ...state, used: audioRecorded(used) };
  return { state: recorded, outputs: [send, recordUseOf(recorded)] };
};

/** Whether bytes of the model change nothing, and are passed on: so it is with nearly every piece of its speech. */
export const passesBytes = (state: SessionState): boolean => state.phase === 'open' && state.sending.heard !== null;

const sendHeard = (state: Of<'open'>, utf8: Uint8Array): SessionStep => ({
  state: heardBy(state),
  outputs: [{ kind: 'send_bytes', utf8 }],
});

const stepOpen = (limits: LiveLimits, state: Of<'open'>, input: SessionInput): SessionStep => {
  const { used } = state;
  switch (input.kind) {
    case 'frame':
      return stepFrame(limits, state, input.utf8);
    case 'binary_frame':
      return finish(limits, used, [close('binary')]);
    case 'upstream_message':
      return stepMessage(state, input);
    case 'upstream_bytes':
      return sendHeard(state, input.utf8);
    case 'upstream_usage': {
      const more = { ...state, used: addUsage(used, input.usage), sending: measure(state.sending) };
      return { state: more, outputs: [recordUseOf(more)] };
    }
    case 'upstream_closed':
      return endMeasured(used, input.measured, [...timeCancelled, close(input.cause === 'ended' ? 'normal' : 'lost')]);
    case 'upstream_stalled':
      return finish(limits, used, [close('lost')]);
    case 'recorded':
      return stepRecorded(limits, state, input.outcome, (covered) =>
        recordSent(state.sending, covered, input.measured),
      );
    case 'held':
      return stepRecorded(limits, state, input.outcome, (covered) => holdSent(state.sending, covered));
    case 'client_closed':
    case 'client_stalled':
    case 'drain':
      return finish(limits, used, partingOf(input) ?? nothing);
    case 'timer':
      return stepTimer(limits, state, input.timer);
    case 'access_taken':
    case 'access_refused':
    case 'access_limited':
    case 'access_unknown':
    case 'upstream_open':
    case 'upstream_failed':
      return stay(state);
  }
};

const stepRecorded = (
  limits: LiveLimits,
  state: Of<'open'>,
  outcome: LiveUseOutcome,
  go: (covered: LiveCovered) => Released | null,
): SessionStep => {
  if (typeof outcome === 'object' && outcome.kind === 'covered') return stepReleased(limits, state, go(outcome));
  if (typeof outcome === 'object')
    return finish(limits, state.used, [{ kind: 'send', text: accessLostFrame(outcome.code) }, close('badAccess')]);
  switch (outcome) {
    case 'insufficient':
      return finish(limits, state.used, [{ kind: 'send', text: insufficientFrame }, close('insufficient')]);
    case 'ended':
      return finish(limits, state.used, [close('lost')]);
  }
};

// live:settle:*
/** The last word on what was used: settled where it is measured, else uncertain. */
const endMeasured = (used: Used, measured: boolean, outputs: readonly SessionOutput[]): SessionStep => ({
  state: ended,
  outputs: [...outputs, { kind: 'end', end: { kind: measured ? 'measured' : 'unknown', usage: toUsage(used) } }],
});

const stepFinishing = (state: Of<'finishing'>, input: SessionInput): SessionStep => {
  const { used } = state;
  if (input.kind === 'upstream_usage') return stay({ ...state, used: addUsage(used, input.usage) });
  if (input.kind === 'upstream_closed')
    return endMeasured(used, input.measured, [{ kind: 'clear_timer', timer: 'finish' }]);
  return input.kind === 'timer' && input.timer === 'finish' ? endMeasured(used, false, nothing) : stay(state);
};

/** One step of a session: what is remembered of it from now on, and what is to be done. Pure, and total. */
export const stepSession = (limits: LiveLimits, state: SessionState, input: SessionInput): SessionStep => {
  switch (state.phase) {
    case 'waiting':
      return stepWaiting(limits, state, input);
    case 'authenticating':
      return stepAuthenticating(limits, state, input);
    case 'connecting':
      return stepConnecting(limits, state, input);
    case 'open':
      return stepOpen(limits, state, input);
    case 'finishing':
      return stepFinishing(state, input);
    case 'ended':
      return stay(state);
  }
};
