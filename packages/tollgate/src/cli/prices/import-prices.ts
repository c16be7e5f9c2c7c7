import { importPrices, type ImportedPrices, type PriceNote } from '@tollgate/engine';
import { exitCodes, requireOption, textOption, UsageError, type CommandInput } from '../command.ts';
import { readPricesFile } from './read-prices-file.ts';

const sources = ['litellm', 'models.dev', 'openrouter'] as const;

const sourceOf = (input: CommandInput): (typeof sources)[number] => {
  const asked = requireOption(input, 'from');
  const source = sources.find((known) => known === asked);
  if (source === undefined) throw new UsageError(`--from takes one of ${sources.join(', ')}, and '${asked}' came`);
  return source;
};

interface Selected extends ImportedPrices {
  /** Models that were asked for, and of which the list has no price. */
  readonly missing: readonly string[];
}

/** What was asked for of a list: all of it where nothing is named. */
const select = ({ models, refused, leftOut }: ImportedPrices, names: readonly string[]): Selected => {
  if (names.length === 0) return { models, refused, leftOut, missing: [] };
  const asked = new Set(names);
  const isAsked = ({ model }: PriceNote): boolean => asked.has(model);
  const kept = refused.filter(isAsked);
  const known = new Set([...Object.keys(models), ...kept.map(({ model }) => model)]);
  return {
    models: Object.fromEntries(Object.entries(models).filter(([model]) => asked.has(model))),
    refused: kept,
    leftOut: leftOut.filter(isAsked),
    missing: [...asked].filter((model) => !known.has(model)),
  };
};

const complain = ({ world }: CommandInput, { refused, leftOut, missing }: Selected): void => {
  for (const { model, field, reason } of refused) world.complain(`model left out: ${model}: ${field}: ${reason}`);
  for (const { model, field, reason } of leftOut) world.complain(`field left out: ${model}: ${field}: ${reason}`);
  for (const model of missing) world.complain(`not in the list: ${model}`);
};

/** Prints a price list made of a published one, and names what is not in it. It opens no database. */
export const importPricesCommand = (input: CommandInput, file: string): number => {
  const from = sourceOf(input);
  const version = requireOption(input, 'list');
  const names = (textOption(input, 'models') ?? '').split(',').filter((name) => name !== '');
  const { options, world } = input;
  const found = importPrices(from, readPricesFile(file), {
    allowZero: options['allow-zero'] === true,
    force: options['force'] === true,
  });
  const selected = select(found, names);
  complain(input, selected);
  if (Object.keys(selected.models).length === 0) {
    world.complain('no model has prices that can be taken: nothing is printed');
    return exitCodes.refused;
  }
  world.print(JSON.stringify({ version, models: selected.models }, null, 2));
  return selected.refused.length + selected.missing.length === 0 ? exitCodes.done : exitCodes.refused;
};
