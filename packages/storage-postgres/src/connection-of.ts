import type { Key } from '@tollgate/storage';

const isMoney = ({ table }: Key): boolean => table === 'wallet' || table === 'account';

/** A small hash (FNV-1a) of the account that a step is about, or else of its first key, so that one account has one connection. */
export const connectionOf = (keys: readonly Key[]): number => {
  const id = (keys.find(isMoney) ?? keys[0])?.id ?? '';
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash >>> 0;
};
