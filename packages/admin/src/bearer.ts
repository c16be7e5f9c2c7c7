import { createHash, timingSafeEqual } from 'node:crypto';
import type { AdminCaller, Authorize } from './admin-caller.ts';

/** A secret, and whom it lets in. */
export interface BearerCredential {
  /** At least 32 characters, by chance. */
  readonly secret: string;
  readonly caller: AdminCaller;
}

const secretCharsMin = 32;

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

const bearerToken = /^Bearer +(\S+)$/i;

/**
 * Lets in by `Authorization: Bearer <secret>`. Every secret is compared, in the same time for each, so that neither which one is near
 * nor how near it is can be measured. Throws a RangeError for a secret that is too short.
 */
export const bearer = (credentials: readonly BearerCredential[]): Authorize => {
  const short = credentials.findIndex(({ secret }) => secret.length < secretCharsMin);
  if (short !== -1)
    throw new RangeError(`secret ${short + 1} is too short; accepted are at least ${secretCharsMin} characters`);
  const known = credentials.map(({ secret, caller }) => ({ hash: digest(secret), caller }));
  return (request) => {
    const [, token = ''] = bearerToken.exec(request.headers.get('authorization') ?? '') ?? [];
    const presented = digest(token);
    let found: AdminCaller | null = null;
    for (const { hash, caller } of known) if (timingSafeEqual(hash, presented)) found = caller;
    return token === '' ? null : found;
  };
};
