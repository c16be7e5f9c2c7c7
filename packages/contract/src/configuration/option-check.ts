import type { ConfigurationFault } from './configuration-error.ts';

/** Finds what is wrong with a value of unknown type. */
export interface Judge {
  readonly faultsOf: (value: unknown, place: string) => readonly ConfigurationFault[];
}

/** The description of one option of type `T`: what is accepted of it. */
export interface OptionCheck<T> extends Judge {
  /** Never set: it keeps the described type and the type of the option the same, in both directions. */
  readonly described?: (value: T) => T;
  readonly isRequired?: false;
}

/** The description of an option that has no default. */
export interface RequiredCheck<T> extends Judge {
  readonly described?: (value: T) => T;
  readonly isRequired: true;
}

type IsOptional<T, K extends keyof T> = object extends Pick<T, K> ? true : false;

/** A description for each option of `T`. It does not compile where one is missing, or describes another type. */
export type OptionChecks<T> = {
  readonly [K in keyof T]-?: IsOptional<T, K> extends true
    ? OptionCheck<Exclude<T[K], undefined>>
    : RequiredCheck<T[K]>;
};

/** One fault: what came at a place, and what is accepted there. */
export const faultAt = (place: string, came: string, accepted: string): readonly ConfigurationFault[] => [
  { place, message: `${place} ${came}; accepted ${accepted}` },
];

/** A description by what it accepts. */
export const checkOf = <T>(faultsOf: Judge['faultsOf']): OptionCheck<T> => ({ faultsOf });

/** An option that has no default. */
export const required = <T>(check: OptionCheck<T>): RequiredCheck<T> => ({
  faultsOf: check.faultsOf,
  isRequired: true,
});

const nearest = '; the nearest is ';

const orNull = (fault: ConfigurationFault): ConfigurationFault => {
  const [sentence = '', ...word] = fault.message.split(nearest);
  return { ...fault, message: [`${sentence}, or null`, ...word].join(nearest) };
};

/** Null, or what is described. */
export const nullable = <T>(check: OptionCheck<T>): OptionCheck<T | null> =>
  checkOf((value, place) =>
    value === null ? [] : check.faultsOf(value, place).map((fault) => (fault.place === place ? orNull(fault) : fault)),
  );

/** A rule over a value that is sound by itself, such as two numbers that must fit together. */
export const also = <T>(
  check: OptionCheck<T>,
  rule: (value: T, place: string) => readonly ConfigurationFault[],
): OptionCheck<T> =>
  checkOf((value, place) => {
    const faults = check.faultsOf(value, place);
    // What the description accepts has the type that it describes.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return faults.length > 0 ? faults : rule(value as T, place);
  });
