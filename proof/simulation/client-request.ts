import type { OperationOutcome } from '@tollgate/engine';
import type { Life } from './life.ts';

/** One request of a client, and what it received. */
export interface ClientRequest {
  /** Unlike that of every other request; the operation it registers bears it as its kind. */
  readonly tag: string;
  readonly projectId: string;
  readonly identity: string | null;
  readonly body: 'first' | 'second';
  readonly life: Life;
  /** The client has gone away. */
  left: boolean;
  told:
    | { readonly kind: 'nothing_yet' }
    | { readonly kind: 'outcome'; readonly outcome: OperationOutcome }
    /** A 503 without a request id: nothing is promised. */
    | { readonly kind: 'broken'; readonly cause: unknown };
}

/** What stands for a body in the records. */
export const fingerprintOf = (body: ClientRequest['body']): string => `fingerprint of the ${body} body`;

/** Under which name a request's execution must be unique; null where the client named none. */
export const identityNameOf = (request: ClientRequest): string | null =>
  request.identity === null ? null : `${request.projectId}/${request.identity}`;
