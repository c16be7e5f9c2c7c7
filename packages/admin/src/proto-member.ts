/** What a body has, and where. */
interface Place {
  readonly value: unknown;
  readonly place: string;
}

const below = (place: string, name: string): string => (place === '' ? name : `${place}.${name}`);

/**
 * The place of a member named `__proto__`, which readers of JSON drop without a word since it would set a prototype; null where a body
 * has none.
 */
export const protoMember = (body: unknown): string | null => {
  // Without recursion: what a schema leaves open may be as deep as a body is long.
  const pending: Place[] = [{ value: body, place: '' }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value, place } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) return below(place, '__proto__');
    for (const [name, member] of Object.entries(value)) pending.push({ value: member, place: below(place, name) });
  }
  return null;
};
