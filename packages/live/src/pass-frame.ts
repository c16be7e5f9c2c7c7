import { readAudio, type LiveClientMessage } from '@tollgate/contract';
import type { LiveLimits } from './live-limits.ts';
import { passAudio } from './sending.ts';
import type { SessionState } from './session-state.ts';

/** A frame of the client that is passed on, and what is remembered of it. */
export interface PassedFrame {
  readonly state: SessionState;
  readonly message: LiveClientMessage;
}

/**
 * What `stepSession` does with a piece of audio that goes to the upstream at once, as nearly every frame of a client does. Null
 * for every other frame.
 */
export const passFrame = (limits: LiveLimits, state: SessionState, utf8: Buffer): PassedFrame | null => {
  if (state.phase !== 'open' || state.sending.kind !== 'live' || utf8.length > limits.frameBytesMax) return null;
  const message = readAudio(utf8);
  const sending = message === null ? null : passAudio(state.sending, message.audio);
  if (message === null || sending === null) return null;
  return { state: { phase: 'open', used: state.used, sending }, message };
};
