import type { KeyTerms } from '@tollgate/engine';
import { parseCap } from './cap-text.ts';
import { listOption, textOption, UsageError, type CommandInput } from './command.ts';
import { requireModel } from './catalog-model.ts';
import { limitsOption } from './limits-option.ts';
import { timeOption } from './list-pages.ts';

/** The word that takes a bound away. */
const none = 'none';

const capOption = (input: CommandInput): KeyTerms['cap'] => {
  const text = textOption(input, 'cap');
  if (text === undefined) return undefined;
  return text === none ? null : parseCap(text, (fault) => new UsageError(`--cap ${fault}`));
};

const modelsOf = (input: CommandInput): KeyTerms['models'] => {
  const text = textOption(input, 'models');
  if (text === undefined) return undefined;
  if (text === none) return null;
  const models = text.split(',');
  for (const model of models) requireModel(input, model);
  return models;
};

const metadataOf = (input: CommandInput): KeyTerms['metadata'] => {
  const pairs = listOption(input, 'metadata');
  if (pairs.length === 0) return undefined;
  if (pairs.length === 1 && pairs[0] === none) return null;
  const entries = pairs.map((pair): readonly [string, string] => {
    const at = pair.indexOf('=');
    if (at < 1) throw new UsageError(`--metadata has ${pair}, and takes NAME=TEXT, or none`);
    return [pair.slice(0, at), pair.slice(at + 1)];
  });
  return Object.fromEntries(entries);
};

/** What bounds a key, as far as a command line names it; `none` takes a bound away. */
export const keyTermsOf = (input: CommandInput): KeyTerms => {
  return {
    expiresAtMs: textOption(input, 'expires') === none ? null : timeOption(input, 'expires'),
    models: modelsOf(input),
    cap: capOption(input),
    limits: limitsOption(input),
    metadata: metadataOf(input),
  };
};
