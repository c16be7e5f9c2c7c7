import { errorTable, type ErrorCode } from './error-code.ts';

export interface GatewayErrorOptions {
  // errors:format:request-id
  /** The operation's uuid, present exactly when the operation was registered. */
  readonly requestId?: string | undefined;
  /** How long the client should wait, in milliseconds; becomes Retry-After. */
  readonly retryAfterMs?: number | undefined;
  /** A sentence of our own that replaces the table's message, such as one that names the field. Never upstream text. */
  readonly detail?: string;
  /** The field of the request that its provider refused, as the client names it. */
  readonly param?: string;
  /** What went wrong inside, kept for the log and never shown. */
  readonly cause?: unknown;
}

/** The one error a client may see. Its status is looked up in `errorTable` at the edge; its message is safe to show. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly code: ErrorCode;
  readonly requestId?: string;
  readonly retryAfterMs?: number;
  readonly detail?: string;
  readonly param?: string;

  constructor(code: ErrorCode, options: GatewayErrorOptions = {}) {
    super(options.detail ?? errorTable[code].message, options.cause === undefined ? {} : { cause: options.cause });
    this.code = code;
    if (options.requestId !== undefined) this.requestId = options.requestId;
    if (options.retryAfterMs !== undefined) this.retryAfterMs = options.retryAfterMs;
    if (options.detail !== undefined) this.detail = options.detail;
    if (options.param !== undefined) this.param = options.param;
  }
}

/** Tells a gateway error by name and code, so that two copies of this package in one process understand each other. */
export const isGatewayError = (error: unknown): error is GatewayError =>
  typeof error === 'object' &&
  error !== null &&
  'name' in error &&
  error.name === 'GatewayError' &&
  'code' in error &&
  typeof error.code === 'string' &&
  Object.hasOwn(errorTable, error.code);
