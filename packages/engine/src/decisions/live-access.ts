import { timingSafeEqual } from 'node:crypto';
import type { Decide, Key, LiveSessionRecord, OperationRecord } from '@tollgate/storage';
import { moveThrough } from './move.ts';
import { sweepOwnerPrefix } from './renew.ts';

export interface TakeAccessCommand {
  readonly id: string;
  /** SHA-256 of the key that was brought, lowercase hex. */
  readonly accessHash: string;
  /** Of no other socket, so that a step sent again knows its own mark. */
  readonly owner: string;
  readonly leaseMs: number;
}

export type TakeAccessAnswer =
  | { readonly kind: 'taken'; readonly operation: OperationRecord; readonly session: LiveSessionRecord }
  /** Wrong, expired or used: nobody is told which (live:close:bad-access). */
  | { readonly kind: 'refused' };

export const liveAccessKeys = (id: string): readonly Key[] => [
  { table: 'operation', id },
  { table: 'liveSession', id },
];

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));

/**
 * Gives the session to the one socket that brings its access in time, and starts its operation, in one step: of sockets that
 * come together one wins (live:access:single-use, live:access:no-reuse-after-drop, live:access:expires-60s).
 */
export const decideTakeAccess =
  (command: TakeAccessCommand): Decide<TakeAccessAnswer> =>
  (records, nowMs) => {
    const operation = records.get('operation', command.id);
    const session = records.get('liveSession', command.id);
    if (operation === undefined || session === undefined || !isSame(session.accessHash, command.accessHash))
      return { writes: [], answer: { kind: 'refused' } };
    if (session.openedAtMs !== null && operation.state === 'processing' && operation.owner === command.owner)
      return { writes: [], answer: { kind: 'taken', operation, session } };
    // Once a sweep has it in hand, it fails for good: nobody may start it beside that.
    const inHand = operation.owner?.startsWith(sweepOwnerPrefix) ?? false;
    const usable = operation.state === 'reserved' && session.openedAtMs === null && nowMs < session.accessUntilMs;
    if (!usable || inHand) return { writes: [], answer: { kind: 'refused' } };
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
  };

export type FindAccessAnswer =
  | { readonly kind: 'usable'; readonly expiresAtMs: number }
  /** Used or expired; as the operation stands. */
  | { readonly kind: 'over'; readonly operation: OperationRecord }
  | { readonly kind: 'missing' };

/** Whether the access of a session can still be given to the client that asked for it (idempotency:live:replay). */
export const decideFindAccess =
  (id: string): Decide<FindAccessAnswer> =>
  (records, nowMs) => {
    const operation = records.get('operation', id);
    const session = records.get('liveSession', id);
    if (operation === undefined || session === undefined) return { writes: [], answer: { kind: 'missing' } };
    const usable = operation.state === 'reserved' && session.openedAtMs === null && nowMs < session.accessUntilMs;
    return {
      writes: [],
      answer: usable ? { kind: 'usable', expiresAtMs: session.accessUntilMs } : { kind: 'over', operation },
    };
  };
