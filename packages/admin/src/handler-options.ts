import type { Logger } from '@tollgate/engine';
import type { Authorize } from './admin-caller.ts';

export interface AdminHandlerOptions {
  /** Tells who sends a request. Nothing is done for a request that it returns null for; where it throws, the answer is 503. */
  readonly authorize: Authorize;
  /** The path under which the handler is mounted (default `/admin`). */
  readonly basePath?: string | undefined;
  /**
   * The name of a header that every request that changes something must have, with any value. Set it where `authorize` reads a cookie:
   * a page of another site cannot send it without a preflight.
   */
  readonly requiredHeader?: string | undefined;
  /** Where the audit trail goes, one line of level `info` for each change, and unexpected errors (default: standard output and error). */
  readonly logger?: Logger | undefined;
}
