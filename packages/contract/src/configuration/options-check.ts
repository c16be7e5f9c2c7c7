import { listedWords } from '../fields/listed-words.ts';
import { ConfigurationError, type ConfigurationFault } from './configuration-error.ts';
import { checkOf, faultAt, type Judge, type OptionCheck, type OptionChecks } from './option-check.ts';
import { entryPlace, indexPlace, memberPlace } from './place.ts';
import { cameIn } from './shown-value.ts';
import { acceptedWords } from './value-checks.ts';

/** Of the names that a host may choose in one table, and the entries of one list. */
const entriesMaxDefault = 100_000;

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Promise);

const unknownFault = (place: string, name: string, known: readonly string[]): ConfigurationFault => {
  const where = memberPlace(place, name);
  const accepted = known.length === 0 ? 'is an empty object' : acceptedWords(name, known);
  return { place: where, message: `${where} is not known; accepted ${accepted}` };
};

type Described = Judge & { readonly isRequired?: boolean };

type Checks = ReadonlyMap<string, Described>;

const unknownFaults = (value: object, place: string, checks: Checks): readonly ConfigurationFault[] =>
  Object.keys(value)
    .filter((name) => !checks.has(name))
    .map((name) => unknownFault(place, name, [...checks.keys()]));

const knownFaults = (value: object, place: string, checks: Checks): readonly ConfigurationFault[] =>
  [...checks].flatMap(([name, check]) => {
    const member: unknown = Reflect.get(value, name);
    if (member === undefined && check.isRequired !== true) return [];
    return check.faultsOf(member, memberPlace(place, name));
  });

const memberFaults = (value: object, place: string, checks: Checks): readonly ConfigurationFault[] => [
  ...unknownFaults(value, place, checks),
  ...knownFaults(value, place, checks),
];

/**
 * An object of options: none but those described, each as described. Every option of `T` has its description, and every required
 * one is marked, or this does not compile.
 */
export const optionsCheck = <T extends object>(checks: OptionChecks<NoInfer<T>>): OptionCheck<T> => {
  const described = new Map<string, Described>(Object.entries<Described>(checks));
  const accepted = `is an object with ${listedWords([...described.keys()], ' and ')}`;
  return checkOf((value, place) =>
    isObject(value)
      ? memberFaults(value, place, described)
      : faultAt(place === '' ? 'the object of options' : place, cameIn(value), accepted),
  );
};

/** An object of the host's that implements an interface; what it has beside the members described is its own. */
export const implementation = <T extends object>(checks: OptionChecks<NoInfer<T>>): OptionCheck<T> => {
  const described = new Map<string, Described>(Object.entries<Described>(checks));
  return checkOf((value, place) =>
    isObject(value)
      ? knownFaults(value, place, described)
      : faultAt(place, cameIn(value), `is an object with ${listedWords([...described.keys()], ' and ')}`),
  );
};

/** An object whose names are the host's own. */
export const table = <Value>(
  check: OptionCheck<Value>,
  checkName: (name: string, place: string) => readonly ConfigurationFault[] = () => [],
): OptionCheck<Readonly<Record<string, Value>>> =>
  checkOf((value, place) => {
    if (!isObject(value)) return faultAt(place, cameIn(value), 'is an object');
    return Object.entries(value).flatMap(([name, entry]) => {
      const where = entryPlace(place, name);
      return [...checkName(name, where), ...check.faultsOf(entry, where)];
    });
  });

/** An object whose names are words of a vocabulary, none of them required. */
export const tableOf = <Word extends string, Value>(
  words: readonly Word[],
  check: OptionCheck<Value>,
): OptionCheck<Readonly<Partial<Record<Word, Value>>>> => {
  const described = new Map<string, Described>(words.map((word) => [word, check]));
  return checkOf((value, place) =>
    isObject(value) ? memberFaults(value, place, described) : faultAt(place, cameIn(value), 'is an object'),
  );
};

export interface ListRule {
  readonly entriesMin?: number;
  readonly entriesMax?: number;
}

/** A list, each entry as described. */
export const list = <Entry>(
  check: OptionCheck<Entry>,
  { entriesMin = 0, entriesMax = entriesMaxDefault }: ListRule = {},
): OptionCheck<readonly Entry[]> =>
  checkOf((value, place) => {
    const isSound = Array.isArray(value) && value.length >= entriesMin && value.length <= entriesMax;
    if (!isSound) return faultAt(place, cameIn(value), `is a list of ${entriesMin} to ${entriesMax} entries`);
    // A list with holes is gone through entry by entry as well.
    return Array.from<unknown>(value).flatMap((entry, index) => check.faultsOf(entry, indexPlace(place, index)));
  });

/** Throws every fault at once; `factory` is what was called with the options. */
export const checkConfiguration = <T>(factory: string, check: OptionCheck<T>, given: T): void => {
  const faults = check.faultsOf(given, '');
  if (faults.length > 0) throw new ConfigurationError(factory, faults);
};
