import { createHash } from 'node:crypto';

// idempotency:body:exact-bytes
/** Body equality: SHA-256 over method, path and the exact body bytes. */
export const fingerprint = (method: string, path: string, bytes: Uint8Array): string =>
  createHash('sha256').update(`${method} ${path}\n`).update(bytes).digest('hex');
