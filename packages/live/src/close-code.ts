// live:close:*
/** Why a socket is closed, as its client sees it. */
export const closeCodes = {
  /** The session came to its end. */
  normal: 1000,
  /** A frame of bytes: messages are text. */
  binary: 1003,
  /** A frame that is no message of this session. */
  badFrame: 1007,
  /** The first frame is not the access, or a message came before `setupComplete`. */
  outOfOrder: 1008,
  /** A frame above its limit, or more frames than may wait for their hold. */
  tooLarge: 1009,
  /** The upstream was lost, or the session cannot go on. */
  lost: 1011,
  /** The service restarts, and the session was settled. */
  restart: 1012,
  /** The access is wrong, expired or used, or its key may not be used any more. */
  badAccess: 4401,
  /** The balance does not cover the continuation. */
  insufficient: 4402,
  /** The caller runs as many requests and sessions at once as it may. */
  limited: 4429,
  /** No first frame came in time. */
  firstFrameTimeout: 4408,
} as const;

export type CloseReason = keyof typeof closeCodes;
