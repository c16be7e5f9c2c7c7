import { listedWords } from '../fields/listed-words.ts';
import { nearestWord } from '../fields/nearest-word.ts';
import { checkOf, faultAt, type Judge, type OptionCheck } from './option-check.ts';
import { cameHidden, cameIn } from './shown-value.ts';

/** The longest time that a timer of JavaScript can wait, in milliseconds: a longer one would go off at once. */
export const timerMsMax = 2_147_483_647;

export interface NumberBounds {
  readonly min?: number;
  readonly max?: number;
}

const unitOf = (place: string): string => {
  if (/Ms(?:Max|Min)?$/.test(place)) return ' of milliseconds';
  if (/Seconds(?:Max|Min)?$/.test(place)) return ' of seconds';
  return /[bB]ytes(?:Max|Min)?$/.test(place) ? ' of bytes' : '';
};

const rangeOf = ({ min, max }: NumberBounds): string => {
  if (min !== undefined && max !== undefined && max < Number.MAX_SAFE_INTEGER) return ` from ${min} to ${max}`;
  if (min !== undefined) return ` of at least ${min}`;
  return max === undefined ? '' : ` of at most ${max}`;
};

const isWithin = (value: number, { min = -Infinity, max = Infinity }: NumberBounds): boolean =>
  value >= min && value <= max;

/** A whole number, by default one that is not negative. Its unit is part of the option's name. */
export const whole = ({ min = 0, max = Number.MAX_SAFE_INTEGER }: NumberBounds = {}): OptionCheck<number> =>
  checkOf((value, place) =>
    typeof value === 'number' && Number.isInteger(value) && isWithin(value, { min, max })
      ? []
      : faultAt(place, cameIn(value), `is a whole number${unitOf(place)}${rangeOf({ min, max })}`),
  );

/** A time that a timer waits. */
export const timerMs = ({ min = 0 }: Pick<NumberBounds, 'min'> = {}): OptionCheck<number> =>
  whole({ min, max: timerMsMax });

/** Any number but those without end. */
export const number = (bounds: NumberBounds = {}): OptionCheck<number> =>
  checkOf((value, place) =>
    typeof value === 'number' && Number.isFinite(value) && isWithin(value, bounds)
      ? []
      : faultAt(place, cameIn(value), `is a number${rangeOf(bounds)}`),
  );

export const flag = (): OptionCheck<boolean> =>
  checkOf((value, place) => (typeof value === 'boolean' ? [] : faultAt(place, cameIn(value), 'is true or false')));

export interface TextRule {
  readonly charsMin?: number;
  readonly charsMax?: number;
  readonly isSound?: (text: string) => boolean;
  /** The end of the sentence, as in `is an http or https address`. */
  readonly accepted?: string;
  /** Whether no message may repeat it. */
  readonly isSecret?: boolean;
}

/** A text, by default one that is not empty. */
export const text = ({
  charsMin = 1,
  charsMax = Infinity,
  isSound = () => true,
  accepted = charsMin > 0 ? 'is a text that is not empty' : 'is a text',
  isSecret = false,
}: TextRule = {}): OptionCheck<string> =>
  checkOf((value, place) => {
    const isText = typeof value === 'string' && value.length >= charsMin && value.length <= charsMax;
    return isText && isSound(value) ? [] : faultAt(place, isSecret ? cameHidden(value) : cameIn(value), accepted);
  });

/** What a header can carry, and no editor or shell has added to: a key that was read from a file often ends in a line break. */
const isHeaderText = (value: string): boolean => value.trim() === value && !/\p{Cc}/u.test(value);

/** A secret that is sent in a header. No message repeats it. */
export const credential = ({ charsMin = 1 }: Pick<TextRule, 'charsMin'> = {}): OptionCheck<string> =>
  text({
    charsMin,
    isSound: isHeaderText,
    accepted: `is a text${charsMin > 0 ? ' that is not empty' : ''}, without control characters (such as a line break) and without white space at its ends`,
    isSecret: true,
  });

const isWebAddress = (value: string): boolean =>
  URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol);

/** An absolute address with http or https. */
export const webAddress = (): OptionCheck<string> =>
  text({ isSound: isWebAddress, accepted: 'is an absolute address with http or https' });

/**
 * Whether a driver can parse the address of a database, or the path of its socket. Behind a `#` that is not encoded everything would be
 * dropped, and what stands before it in a password would be taken for a host and a port.
 */
export const isDatabaseAddress = (value: string): boolean =>
  value.startsWith('/') || (!value.includes('#') && URL.canParse(value.replace('@/', '@localhost/')));

/** Whether a text is an origin as browsers write it: http or https, a host and a port that is not the scheme's own. */
export const isWebOrigin = (value: string): boolean => isWebAddress(value) && new URL(value).origin === value;

/** The end of a sentence about a word that is none of those accepted, with the nearest of them first. */
export const acceptedWords = (came: string, words: readonly string[]): string => {
  const nearest = nearestWord(came, words);
  const list = `${words.length === 1 ? 'is' : 'are'} ${listedWords(words, ' and ')}`;
  return nearest === null || words.length < 2 ? list : `${list}; the nearest is ${nearest}`;
};

/** One of the words. */
export const oneOf = <const Word extends string>(...words: readonly Word[]): OptionCheck<Word> =>
  checkOf((value, place) =>
    words.some((word) => word === value)
      ? []
      : faultAt(place, cameIn(value), acceptedWords(typeof value === 'string' ? value : '', words)),
  );

/** A function. Its parameters and results are unknown before it is called. */
export const callable = <T>(): OptionCheck<T> =>
  checkOf((value, place) => (typeof value === 'function' ? [] : faultAt(place, cameIn(value), 'is a function')));

/** An object of the host's with these functions. */
export const having = <T extends object>(...methods: readonly (keyof T & string)[]): OptionCheck<T> =>
  checkOf((value, place) => {
    const isObject = typeof value === 'object' && value !== null;
    const missing = methods.filter((method) => !isObject || typeof Reflect.get(value, method) !== 'function');
    if (missing.length === 0) return [];
    const came = isObject && !(value instanceof Promise) ? `has no function ${missing[0]}` : cameIn(value);
    return faultAt(place, came, `is an object with the functions ${listedWords(methods, ' and ')}`);
  });

/** An object that another library made, which is not looked into. */
export const foreign = <T extends object>(): OptionCheck<T> =>
  checkOf((value, place) =>
    typeof value === 'object' && value !== null ? [] : faultAt(place, cameIn(value), 'is an object'),
  );

export type ValueKind = 'text' | 'number' | 'flag' | 'list' | 'object' | 'function';

const kindOf = (value: unknown): ValueKind | null => {
  if (Array.isArray(value)) return 'list';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
      return 'number';
    case 'boolean':
      return 'flag';
    case 'function':
      return 'function';
    case 'object':
      return value === null ? null : 'object';
    case 'bigint':
    case 'symbol':
    case 'undefined':
      return null;
  }
};

/** A value of one of several kinds, each with a description of its own; `accepted` is the end of the sentence for every other. */
export const byKind = <T>(kinds: Readonly<Partial<Record<ValueKind, Judge>>>, accepted: string): OptionCheck<T> =>
  checkOf((value, place) => {
    const kind = kindOf(value);
    const check = kind === null ? undefined : kinds[kind];
    return check === undefined ? faultAt(place, cameIn(value), accepted) : check.faultsOf(value, place);
  });
