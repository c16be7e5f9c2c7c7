import type { LiftedData, PlacePattern } from '@tollgate/contract';

/** The values below a node that one part of a pattern leads to, as the keys that hold them. */
const keysAt = (node: object, part: string): readonly string[] => {
  if (part === '*') return Array.isArray(node) ? Object.keys(node) : [];
  return !Array.isArray(node) && Object.hasOwn(node, part) ? [part] : [];
};

const placeBelow = (node: unknown, pattern: PlacePattern, lifted: ReadonlyMap<string, LiftedData>): void => {
  if (typeof node !== 'object' || node === null) return;
  const [part = '', ...rest] = pattern;
  for (const key of keysAt(node, part)) {
    const value: unknown = Reflect.get(node, key);
    if (rest.length > 0) placeBelow(value, rest, lifted);
    else if (typeof value === 'string' && lifted.has(value)) Reflect.set(node, key, lifted.get(value));
  }
};

/** Puts what was lifted back where its placeholders stand in a body that was parsed just now. */
export const placeLifted = (
  value: unknown,
  places: readonly PlacePattern[],
  lifted: ReadonlyMap<string, LiftedData>,
): void => {
  if (lifted.size > 0) for (const place of places) placeBelow(value, place, lifted);
};
