import { isLifted } from '../media/lifted-data.ts';

/** Characters of a number that a message repeats. */
const numberCharsMax = 24;
/** A word of a client that a message repeats: too short and too plain to be a secret. */
const harmlessWord = /^[A-Za-z][\w.:-]{0,23}$/;

const counted = (count: number, one: string): string =>
  `${count} ${count === 1 ? one : one.endsWith('y') ? `${one.slice(0, -1)}ies` : `${one}s`}`;

const ofText = (text: string, isWord: boolean): string => {
  if (text === '') return 'is empty';
  return isWord && harmlessWord.test(text) ? `is "${text}"` : `is text of ${counted(text.length, 'character')}`;
};

/**
 * What a client sent, as the middle of a sentence: its type and its size. Numbers are repeated, and short plain words where the field
 * takes words (`isWord`); any other text may be a secret.
 */
export const cameAs = (value: unknown, isWord: boolean): string => {
  if (value === undefined) return 'is missing';
  if (value === null) return 'is null';
  if (typeof value === 'string') return ofText(value, isWord);
  if (typeof value === 'number')
    return Number.isFinite(value) ? `is ${String(value).slice(0, numberCharsMax)}` : 'is a number without end';
  if (typeof value === 'boolean') return `is ${value}`;
  if (Array.isArray(value))
    return value.length === 0 ? 'is an empty list' : `is a list of ${counted(value.length, 'entry')}`;
  if (isLifted(value)) return `is text of ${value.sizeBytes} decoded bytes`;
  return Object.keys(value).length === 0 ? 'is an empty object' : 'is an object';
};
