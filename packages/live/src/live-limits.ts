/** What one session may take, of time and of memory; every one has a default that suits a production gateway. */
export interface LiveLimits {
  /** How long a socket may stay open without its access (live:close:first-frame-timeout). */
  readonly firstFrameMs: number;
  /** Bytes of the first frame: an access is short, and nobody is known yet. */
  readonly firstFrameBytesMax: number;
  /** Bytes of any later frame. */
  readonly frameBytesMax: number;
  /** Bytes that may wait for a slow reader, on either side; beyond it the session is cut off. */
  readonly bufferedBytesMax: number;
  /** How long the upstream may take to open its side. */
  readonly connectMs: number;
  /** How often the time that a session is open is made durable, and its hold renewed ahead of it. */
  readonly timeNoteMs: number;
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
  bufferedBytesMax: 1_048_576,
  connectMs: 15_000,
  timeNoteMs: 15_000,
  finishMs: 10_000,
  pingMs: 25_000,
  pongsMissedMax: 2,
};
