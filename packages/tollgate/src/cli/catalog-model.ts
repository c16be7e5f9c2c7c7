import { defaultCatalog } from '@tollgate/contract';
import { acceptedWords } from '@tollgate/contract/configuration';
import { UsageError, type CommandInput } from './command.ts';

/** Refuses a model that the default catalog does not have. A host may have a catalog of its own, which the command line does not know. */
export const requireModel = (input: CommandInput, model: string): void => {
  const ids = defaultCatalog.map(({ id }) => id);
  if (input.options['own-catalog'] === true || ids.includes(model)) return;
  throw new UsageError(
    `${model} is no model of the default catalog; accepted ${acceptedWords(model, ids)}. For a catalog of the host's own add --own-catalog.`,
  );
};
