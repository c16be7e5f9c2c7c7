import { isConfigurationError } from '@tollgate/contract/configuration';
import { tariffCheck, type TariffInput } from '@tollgate/engine';
import { checkOptions } from '../../check-options.ts';
import { exitCodes, printJson, type CommandInput } from '../command.ts';
import { readPricesFile } from './read-prices-file.ts';

const faultsOf = (check: () => unknown): readonly string[] => {
  try {
    check();
    return [];
  } catch (cause) {
    if (!isConfigurationError(cause)) throw cause;
    return cause.faults.map(({ message }) => message);
  }
};

const isTariff = (value: unknown): value is TariffInput => tariffCheck.faultsOf(value, '').length === 0;

/** A price list of a file, or the faults that keep a gateway from taking it: its own, else those beside the default catalog. */
export const readTariffFile = (
  file: string,
  { ownCatalog }: { readonly ownCatalog: boolean },
): { readonly tariff: TariffInput } | { readonly faults: readonly string[] } => {
  const list = readPricesFile(file);
  if (!isTariff(list)) return { faults: tariffCheck.faultsOf(list, 'tariff').map(({ message }) => message) };
  const faults = ownCatalog ? [] : faultsOf(() => checkOptions({ tariff: list }));
  return faults.length === 0 ? { tariff: list } : { faults };
};

export const complainOfFaults = ({ world, options }: CommandInput, file: string, faults: readonly string[]): number => {
  if (options['json'] === true) printJson(world, { faults });
  else for (const fault of faults) world.complain(`${file}: ${fault}`);
  return exitCodes.refused;
};

/** Says whether a gateway takes a price list, and names every fault by its place. It opens no database. */
export const checkPricesCommand = (input: CommandInput, file: string): number => {
  const read = readTariffFile(file, { ownCatalog: input.options['own-catalog'] === true });
  if ('faults' in read) return complainOfFaults(input, file, read.faults);
  const { version, models, plans = {} } = read.tariff;
  const names = Object.keys(models);
  const planNames = Object.keys(plans);
  if (input.options['json'] === true) printJson(input.world, { version, models: names, plans: planNames, faults: [] });
  else {
    const ofPlans = planNames.length === 0 ? 'no plans' : `plans ${planNames.join(', ')}`;
    input.world.print(`${file} is a price list: version ${version}, ${names.length} models, ${ofPlans}`);
  }
  return exitCodes.done;
};
