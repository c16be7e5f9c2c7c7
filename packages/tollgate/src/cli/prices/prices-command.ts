import { acceptedWords } from '@tollgate/contract/configuration';
import { UsageError, type CommandInput } from '../command.ts';
import { checkPricesCommand } from './check-prices.ts';
import { dryRunPricesCommand } from './dry-run-prices.ts';
import { importPricesCommand } from './import-prices.ts';

type PricesAction = (input: CommandInput, file: string) => number | Promise<number>;

const actions: Readonly<Record<string, PricesAction>> = {
  import: importPricesCommand,
  check: checkPricesCommand,
  'dry-run': dryRunPricesCommand,
};

const files: Readonly<Record<string, string>> = {
  import: 'the file of a published list',
  check: 'the file of a price list',
  'dry-run': 'the file of a price list',
};

/** Price lists in files: made of a published one, checked, and tried on what was used. */
export const pricesCommand = (input: CommandInput): number | Promise<number> => {
  const [name, file] = input.words;
  const action = name !== undefined && Object.hasOwn(actions, name) ? actions[name] : undefined;
  if (name === undefined || action === undefined) {
    const came = name === undefined ? 'prices takes an action' : `'${name}' is no action of prices`;
    throw new UsageError(`${came}; accepted ${acceptedWords(name ?? '', Object.keys(actions))}`);
  }
  if (file === undefined) throw new UsageError(`prices ${name} takes ${files[name]}`);
  return action(input, file);
};
