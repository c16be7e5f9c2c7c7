import { isConfigurationError } from '@tollgate/contract/configuration';
import { tariffCheck, type TariffInput } from '@tollgate/engine';
import { checkOptions } from '../../check-options.ts';
import { exitCodes, printJson, type CommandInput } from '../command.ts';
import { withAdministration } from '../open-administration.ts';
import { findUnknownPlans, type UnknownPlan } from './plans-of-accounts.ts';
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

/** Behind faults that a catalog may have made: the command line does not know the catalog of a host. */
const ownCatalogHint =
  'it was checked beside the default catalog. For a gateway with a catalog of its own, as npm create tollgate makes it, add --own-catalog.';

/** A price list of a file, or the faults that keep a gateway from taking it: its own, else those beside the default catalog. */
export const readTariffFile = (
  file: string,
  { ownCatalog }: { readonly ownCatalog: boolean },
): { readonly tariff: TariffInput } | { readonly faults: readonly string[] } => {
  const list = readPricesFile(file);
  if (!isTariff(list)) return { faults: tariffCheck.faultsOf(list, 'tariff').map(({ message }) => message) };
  const faults = ownCatalog ? [] : faultsOf(() => checkOptions({ tariff: list }));
  return faults.length === 0 ? { tariff: list } : { faults: [...faults, ownCatalogHint] };
};

export const complainOfFaults = ({ world, options }: CommandInput, file: string, faults: readonly string[]): number => {
  if (options['json'] === true) printJson(world, { faults });
  else for (const fault of faults) world.complain(`${file}: ${fault}`);
  return exitCodes.refused;
};

const describe = (file: string, { version, models, plans = {} }: TariffInput): string => {
  const names = Object.keys(plans);
  const ofPlans = names.length === 0 ? 'no plans' : `plans ${names.join(', ')}`;
  return `${file} is a price list: version ${version}, ${Object.keys(models).length} models, ${ofPlans}`;
};

interface CheckedList {
  readonly tariff: TariffInput;
  /** Null where no database was asked. */
  readonly unknownPlans: readonly UnknownPlan[] | null;
}

const report = ({ world, options }: CommandInput, file: string, list: CheckedList): number => {
  const { tariff, unknownPlans } = list;
  const { version, models, plans = {} } = tariff;
  if (options['json'] === true)
    printJson(world, {
      version,
      models: Object.keys(models),
      plans: Object.keys(plans),
      unknownPlans: unknownPlans ?? undefined,
      faults: [],
    });
  else world.print(describe(file, tariff));
  const missing = unknownPlans ?? [];
  for (const { plan, accounts } of missing)
    world.complain(`the list has no plan '${plan}', which ${accounts} accounts have: they pay as without a plan`);
  return missing.length === 0 ? exitCodes.done : exitCodes.refused;
};

/**
 * Says whether a gateway takes a price list, and names every fault by its place. It opens a database only to look at the plans of its
 * accounts, where that is asked for.
 */
export const checkPricesCommand = (input: CommandInput, file: string): number | Promise<number> => {
  const read = readTariffFile(file, { ownCatalog: input.options['own-catalog'] === true });
  if ('faults' in read) return complainOfFaults(input, file, read.faults);
  const { tariff } = read;
  if (input.options['accounts'] !== true) return report(input, file, { tariff, unknownPlans: null });
  return withAdministration(input, async (admin) =>
    report(input, file, { tariff, unknownPlans: await findUnknownPlans(admin, tariff) }),
  );
};
