import { lockNumber } from './lock-number.ts';
import { plainStatement, type Statement } from './statement.ts';

/**
 * What a batch locks in place of the rows that nearly every step reads (`isMostlyRead`). "Steps that share a key are serialised" holds
 * for them too, but not by row locks. FOR UPDATE would make all steps of a project, and with a price list or setting all steps there are,
 * wait for one another. FOR SHARE lets readers in together, at the price of a write to the hottest rows by every transaction:
 * a new multixact each time two of them overlap, the page dirtied, a record in the log. FOR KEY SHARE writes the same and
 * does not stop an UPDATE.
 *
 * So readers pay nothing and writers wait: there is one advisory lock for all guarded tables. A batch that names a guarded
 * key takes it shared, and reads the rows by plain SELECTs in later statements. What a step writes is known only when it is
 * decided; if that turns out to be a guarded row, the batch is rolled back and decided again with the lock taken for itself
 * alone. (Steps are pure and may be decided more than once.) Hence, while a batch holds the lock shared no guarded row
 * changes, appears or vanishes, and a step that writes one shares its transaction with no step that read any: readers and writers
 * of a guarded key are serialised, absent keys included, and so is write skew between two of them. The lock is taken before
 * any row lock, so no transaction waits for it while it holds what another needs.
 */
export type GuardMode = 'shared' | 'exclusive';

export const guardStatement = (schema: string, mode: GuardMode): Statement =>
  plainStatement(`SELECT pg_advisory_xact_lock${mode === 'shared' ? '_shared' : ''}(${lockNumber(schema, 'guard')})`);
