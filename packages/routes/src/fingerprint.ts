import { createHash } from 'node:crypto';

/** Body equality: SHA-256 over method, path and the exact body bytes (idempotency:body:exact-bytes). */
export const fingerprint = (method: string, path: string, bytes: Uint8Array): string =>
  createHash('sha256').update(`${method} ${path}\n`).update(bytes).digest('hex');
