import { importPrices, type ImportedPrices, type PriceNote } from '@tollgate/engine';
import { exitCodes, listOption, requireOption, textOption, UsageError, type CommandInput } from '../command.ts';
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

/** What each reason means, and what to do. */
const reasons: Readonly<Record<PriceNote['reason'], (field: string) => string>> = {
  unknown_field: (field) => `a price list has no place for it; --ignore-field ${field} takes the model without it`,
  not_an_amount: (field) =>
    `it is no amount; write the price into the list yourself, or --ignore-field ${field} takes the model without it`,
  zero: () => 'the price is 0, or below the last decimal; --allow-zero takes it as 0',
  beyond_bound: () => 'the price is higher than is believed; --force takes it',
  conflict: (field) =>
    field === 'id'
      ? 'the list has the model more than once, with other prices; take all but one out of the file'
      : `two names of one price differ; --ignore-field ${field} takes the other`,
  other_service: () => 'a service tier that the gateway never asks for; nothing is to be done',
  tool: () => 'the price of a tool; calls with it are refused until the list has a price of web_search_queries',
  ignored: () => 'as --ignore-field says',
  legacy: () => 'an older copy of another field; nothing is to be done',
};

const noteOf = ({ model, field, reason }: PriceNote): string =>
  `${model}: ${field}: ${reason}, ${reasons[reason](field)}`;

const complain = ({ world }: CommandInput, { refused, leftOut, missing }: Selected): void => {
  for (const note of refused) world.complain(`model left out: ${noteOf(note)}`);
  for (const note of leftOut) world.complain(`field left out: ${noteOf(note)}`);
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
    ignoreFields: listOption(input, 'ignore-field'),
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
