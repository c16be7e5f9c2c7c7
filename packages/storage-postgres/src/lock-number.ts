import { createHash } from 'node:crypto';

/**
 * The number of an advisory lock, as SQL. Advisory locks are shared by everything in a database, so the number comes from a
 * hash over a name that no other program uses.
 */
export const lockNumber = (schema: string, purpose: 'guard' | 'migrate' | 'chunks'): string =>
  String(createHash('sha256').update(`tollgate\n${purpose}\n${schema}`).digest().readBigInt64BE());
