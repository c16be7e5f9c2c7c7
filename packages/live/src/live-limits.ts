import { optionsCheck, timerMs, whole } from '@tollgate/contract/configuration';

/** What one session may take, of time and of memory; every one has a default that suits a production gateway. */
export interface LiveLimits {
  // live:close:first-frame-timeout
  /** How long a socket may stay open without its access. */
  readonly firstFrameMs: number;
  /** Bytes of the first frame: an access is short, and the client is not known yet. */
  readonly firstFrameBytesMax: number;
  /** Bytes of any later frame. */
  readonly frameBytesMax: number;
  /** Values and field names of a later frame, counted before it is parsed. */
  readonly frameNodesMax: number;
  /** Bytes that may wait for a slow reader, on either side; beyond it the session is cut off. */
  readonly bufferedBytesMax: number;
  /** How long the upstream may take to open its side. */
  readonly connectMs: number;
  /** How long a session may be open; then it is closed with 1000, after a goAway frame. */
  readonly sessionMs: number;
  /** How often the time that a session is open is made durable, its hold renewed ahead of it, and its key's access checked. */
  readonly recordEveryMs: number;
  /** How long an upstream may take to tell the measure of what is in hand once the client has gone. */
  readonly finishMs: number;
  /** How often the client is asked for a sign of life. */
  readonly pingMs: number;
  /** Signs of life in a row that may be missed; with one more the socket is cut off. */
  readonly pongsMissedMax: number;
}

export const defaultLiveLimits: LiveLimits = {
  firstFrameMs: 10_000,
  firstFrameBytesMax: 4_096,
  frameBytesMax: 1_048_576,
  frameNodesMax: 20_000,
  bufferedBytesMax: 1_048_576,
  connectMs: 15_000,
  sessionMs: 4 * 3_600_000,
  recordEveryMs: 15_000,
  finishMs: 10_000,
  pingMs: 25_000,
  pongsMissedMax: 2,
};

/** Every limit in its bounds. */
export const liveLimitsCheck = optionsCheck<Partial<LiveLimits>>({
  firstFrameMs: timerMs({ min: 1 }),
  firstFrameBytesMax: whole({ min: 1 }),
  frameBytesMax: whole({ min: 1 }),
  frameNodesMax: whole({ min: 1 }),
  bufferedBytesMax: whole({ min: 1 }),
  connectMs: timerMs({ min: 1 }),
  sessionMs: timerMs({ min: 1 }),
  recordEveryMs: timerMs({ min: 1 }),
  finishMs: timerMs(),
  pingMs: timerMs({ min: 1 }),
  pongsMissedMax: whole(),
});
