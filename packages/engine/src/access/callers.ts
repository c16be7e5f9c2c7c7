/** Who calls without a key of this service: `authenticateClaim` of the engine's `access`. */
export type { ClaimAnswer } from './access-directory.ts';
export { isOwnCredential } from './api-key.ts';
export type { CallerClaim } from './claimed-key.ts';
export { engineOf } from '../operations/engine-of.ts';
