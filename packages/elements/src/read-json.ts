const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** A text member of a response. Throws where it is none: the other side is no gateway, or of another version. */
export const textAt = (value: unknown, name: string): string => {
  const member = memberOf(value, name);
  if (typeof member === 'string') return member;
  throw new TypeError(`the response has no text '${name}'`);
};

/** A list member of a response. */
export const listAt = (value: unknown, name: string): readonly unknown[] => {
  const member = memberOf(value, name);
  if (Array.isArray(member)) return member;
  throw new TypeError(`the response has no list '${name}'`);
};
