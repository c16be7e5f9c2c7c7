/** Keys that a gateway refuses, by why it does. */
export const refusedRoles = ['revoked', 'inactive', 'paused', 'blocked', 'no-contract'] as const;
export type RefusedRole = (typeof refusedRoles)[number];

/** Whose key a request carries, by what its model does or by its project. */
export const roles = [
  'chat',
  'embedding',
  'video',
  'omni',
  'music',
  'transcription',
  'image',
  'speech',
  'realtime',
  'realtime-music',
  'unbound',
  'other',
  'poor',
  ...refusedRoles,
  'sibling',
] as const;
export type Role = (typeof roles)[number];

/** What a case cannot run without. */
export type Need =
  | Role
  /** A chat key that is bound to a model: what takes its model from the key is then used with it. */
  | 'bound'
  /** A capability of the model of the chat key. */
  | `can:${string}`
  /** An upstream that obeys directives: the test mode, or the kit's own. */
  | 'directives'
  /** A gateway in test mode, whose models of every family answer. */
  | 'test-mode'
  /** The kit's own upstream, whose requests the case reads. */
  | 'upstream'
  /** A gateway whose compatible modes are off. */
  | 'strict'
  /** A receiver of webhooks that the gateway reaches. */
  | 'receiver'
  /** The route `/account/balance`, which is beside the contract. */
  | 'balance'
  /** Time: some cases wait for a minute or longer. */
  | 'slow';
