import {
  ConfigurationError,
  indexPlace,
  type ConfigurationFault,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import { providerCheck, type Provider } from '@tollgate/provider';

const memberFaults = (members: readonly Provider[]): readonly ConfigurationFault[] =>
  members.flatMap((member, index) => providerCheck.faultsOf(member, indexPlace('providers', index)));

/** Refuses a routing of what is no provider, or with options that cannot be meant: all faults in one error. */
export const checkRouting = <T>(
  factory: string,
  members: readonly Provider[],
  check: OptionCheck<T>,
  options: T,
): void => {
  const faults = [...memberFaults(members), ...check.faultsOf(options, '')];
  if (faults.length > 0) throw new ConfigurationError(factory, faults);
};
