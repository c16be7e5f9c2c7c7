import { isKeptText } from '@tollgate/contract';

const hasUnkept = (value: unknown): boolean => {
  // Without recursion: what a schema leaves open may be as deep as a body is long.
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && !isKeptText(next)) return true;
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, member] of Object.entries(next)) pending.push(name, member);
  }
  return false;
};

/** The first field that has a text which a storage cannot keep, with a NUL or half a surrogate pair; null where there is none. */
export const unkeptField = (fields: unknown): string | null =>
  Object.entries(fields ?? {}).find(([, value]) => hasUnkept(value))?.[0] ?? null;
