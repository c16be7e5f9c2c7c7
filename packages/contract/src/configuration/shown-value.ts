/** Longest text of a host's that a message repeats, in characters. */
const textCharsMax = 60;

const counted = (count: number, one: string, more: string): string => `${count} ${count === 1 ? one : more}`;

/** What stands at a place, as the middle of a sentence: `is the text "30s"`. Never call it with what may be a secret. */
export const cameIn = (value: unknown): string => {
  if (value === undefined) return 'is missing';
  if (value === null) return 'is null';
  if (typeof value === 'string') {
    const cut = value.length > textCharsMax ? `${value.slice(0, textCharsMax)}…` : value;
    return `is the text ${JSON.stringify(cut)}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint') return `is ${value}`;
  if (typeof value === 'function') return 'is a function';
  if (Array.isArray(value)) return `is a list of ${counted(value.length, 'entry', 'entries')}`;
  if (value instanceof Promise) return 'is a promise; await it';
  return typeof value === 'symbol' ? 'is a symbol' : 'is an object';
};

/** The same of what may be a secret: its type and its length. */
export const cameHidden = (value: unknown): string =>
  typeof value === 'string'
    ? value === ''
      ? 'is empty'
      : `is a text of ${counted(value.length, 'character', 'characters')}`
    : typeof value === 'number' || typeof value === 'bigint'
      ? `is of the type ${typeof value}`
      : cameIn(value);
