/** A receiver of webhooks that is down: every event fails with 503 at first. */
export const receiverDown = {
  check: (url: string) => Promise.resolve({ kind: 'allowed', url } as const),
  send: () => Promise.resolve({ kind: 'answered', status: 503, retryAfterMs: null } as const),
  close: () => Promise.resolve(),
};
