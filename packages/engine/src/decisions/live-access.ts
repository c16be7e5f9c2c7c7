import { timingSafeEqual } from 'node:crypto';
import type { Key, LiveSessionRecord, OperationRecord } from '@tollgate/storage';
import { accessKeys, refuseAccess, type AccessIds } from './access.ts';
import { moveThrough } from './move.ts';
import { sweepOwnerPrefix } from './renew.ts';
import type { Step } from './step.ts';

/** Names the key that asked for the access, which must still be usable. */
export interface TakeAccessCommand extends AccessIds {
  readonly id: string;
  /** SHA-256 of the key that was brought, lowercase hex. */
  readonly accessHash: string;
  /** Of the page that opened the socket; null for a client that is no page. */
  readonly origin: string | null;
  /** Of no other socket, so that a step sent again knows its own mark. */
  readonly owner: string;
  readonly leaseMs: number;
}

export type TakeAccessAnswer =
  | { readonly kind: 'taken'; readonly operation: OperationRecord; readonly session: LiveSessionRecord }
  // live:close:bad-access
  /** Wrong, expired, used, revoked, or for pages of other origins: the response does not say which. */
  | { readonly kind: 'refused' };

const sessionKeys = (id: string): readonly Key[] => [
  { table: 'operation', id },
  { table: 'liveSession', id },
];

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Whether a page of an origin may use what is for pages of these origins; null are no origins, and no page. Browsers name the origin of
 * a page in what it sends elsewhere, a client that is no page need not.
 */
export const admitsOrigin = (origins: readonly string[] | null, origin: string | null): boolean =>
  origins === null || origin === null || origins.includes(origin);

// live:access:single-use, live:access:no-reuse-after-drop, live:access:expires-60s
/**
 * Gives the session to the one socket that brings its access in time, and starts its operation, in one step: of sockets that
 * come together one wins. An access whose key may not
 * be used any more opens nothing.
 */
export const takeAccess = (command: TakeAccessCommand): Step<TakeAccessAnswer> => ({
  keys: [...sessionKeys(command.id), ...accessKeys(command)],
  decide: (records, nowMs) => {
    const operation = records.get('operation', command.id);
    const session = records.get('liveSession', command.id);
    if (operation === undefined || session === undefined || !isSame(session.accessHash, command.accessHash))
      return { writes: [], answer: { kind: 'refused' } };
    if (session.openedAtMs !== null && operation.state === 'processing' && operation.owner === command.owner)
      return { writes: [], answer: { kind: 'taken', operation, session } };
    // Once a sweep has it in hand, it fails for good: no other process may start it.
    const inHand = operation.owner?.startsWith(sweepOwnerPrefix) ?? false;
    const usable = operation.state === 'reserved' && session.openedAtMs === null && nowMs < session.accessUntilMs;
    // Another page does not use it up.
    const isAdmitted = admitsOrigin(session.origins, command.origin);
    if (!usable || inHand || !isAdmitted || refuseAccess(records, operation, nowMs) !== null)
      return { writes: [], answer: { kind: 'refused' } };
    const started = moveThrough(operation, ['processing'], {
      owner: command.owner,
      dueAtMs: nowMs + command.leaseMs,
      updatedAtMs: nowMs,
    });
    const opened = { ...session, openedAtMs: nowMs };
    return {
      writes: [
        { kind: 'put', table: 'operation', record: started },
        { kind: 'put', table: 'liveSession', record: opened },
      ],
      answer: { kind: 'taken', operation: started, session: opened },
    };
  },
});

export type FindAccessAnswer =
  | { readonly kind: 'usable'; readonly accessHash: string; readonly expiresAtMs: number }
  /** Used or expired; as the operation stands. */
  | { readonly kind: 'over'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

// idempotency:live:replay
/** Whether the access of a session can still be given to the client that asked for it. */
export const findAccess = (id: string): Step<FindAccessAnswer> => ({
  keys: sessionKeys(id),
  decide: (records, nowMs) => {
    const operation = records.get('operation', id);
    const session = records.get('liveSession', id);
    if (operation === undefined || session === undefined) return { writes: [], answer: { kind: 'missing' } };
    const usable = operation.state === 'reserved' && session.openedAtMs === null && nowMs < session.accessUntilMs;
    return {
      writes: [],
      answer: usable
        ? { kind: 'usable', accessHash: session.accessHash, expiresAtMs: session.accessUntilMs }
        : { kind: 'over', operation },
    };
  },
});
