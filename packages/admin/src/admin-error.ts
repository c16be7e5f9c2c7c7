import { errorTable, isGatewayError, type ErrorCode } from '@tollgate/contract';
import { isConfigurationError } from '@tollgate/contract/configuration';

/** Codes that only the administration has, each with its status; all others are those of the gateway. */
export const adminErrors = {
  /** The host's function let no one in. */
  invalid_credential: 401,
  /** The caller is known, and may not do it. */
  not_permitted: 403,
  /** The state of a record does not allow it. */
  conflict: 409,
} as const;

export type AdminErrorCode = keyof typeof adminErrors | ErrorCode;

/** The one error of the administration that a client sees. */
export class AdminError extends Error {
  override readonly name = 'AdminError';
  readonly code: AdminErrorCode;

  constructor(code: AdminErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

const isOwn = (code: AdminErrorCode): code is keyof typeof adminErrors => Object.hasOwn(adminErrors, code);

export const statusOf = (code: AdminErrorCode): number => (isOwn(code) ? adminErrors[code] : errorTable[code].status);

/** What a client sees of what was thrown; null where nothing of it may be shown. */
export const knownError = (cause: unknown): AdminError | null => {
  if (cause instanceof AdminError) return cause;
  if (isGatewayError(cause)) return new AdminError(cause.code, cause.message);
  // What the functions themselves refuse: it names the field, what came and what is accepted.
  if (isConfigurationError(cause)) return new AdminError('invalid_request', cause.message);
  return null;
};

/** The same for what is not there and for what is not the caller's own: neither tells the other apart. */
export const notFound = (): AdminError => new AdminError('not_found', 'Not found, or not yours.');

/** What is there, or 404. */
export const foundOr404 = <T>(record: T | null): T => {
  if (record === null) throw notFound();
  return record;
};
