import { ConfigurationError, type ConfigurationFault } from '@tollgate/contract/configuration';

/** Finds what is wrong with an argument: any description of `@tollgate/contract/configuration`. */
interface Judge {
  readonly faultsOf: (value: unknown, place: string) => readonly ConfigurationFault[];
}

/** One argument of a method. */
export interface ArgumentCheck extends Judge {
  /** Empty for an object, whose members are named. */
  readonly name: string;
  readonly isRequired: boolean;
}

export const argument = (name: string, { faultsOf }: Judge): ArgumentCheck => ({ name, faultsOf, isRequired: true });

export const optionalArgument = (name: string, { faultsOf }: Judge): ArgumentCheck => ({
  name,
  faultsOf,
  isRequired: false,
});

/** Refuses arguments that cannot be meant, all their faults in one error that names the method. */
export const checkArguments = (method: string, checks: readonly ArgumentCheck[], given: readonly unknown[]): void => {
  const faults = checks.flatMap(({ name, faultsOf, isRequired }, index) =>
    given[index] === undefined && !isRequired ? [] : faultsOf(given[index], name),
  );
  if (faults.length > 0) throw new ConfigurationError(method, faults);
};
