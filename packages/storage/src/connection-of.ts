import type { Key } from './storage.ts';
import type { TableName } from './tables.ts';

/** Tables whose id is the account's: a step that names one is about that account. */
const accountTables: ReadonlySet<TableName> = new Set<TableName>(['wallet', 'account']);

/**
 * A whole number from 0 up to 2^32, the same for all steps about one account: a hash (FNV-1a) of the account's id, or else of the
 * first key's. Steps that share a hot key thus share a batch connection, see `createStepBatcher`.
 */
export const connectionOf = (keys: readonly Key[]): number => {
  const id = (keys.find(({ table }) => accountTables.has(table)) ?? keys[0])?.id ?? '';
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};
