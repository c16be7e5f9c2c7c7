import { acceptedWords } from '@tollgate/contract/configuration';
import { exitCodes, printJson, UsageError, type AdminCommand, type CommandInput } from './command.ts';

/** A command whose first word is an action; without one it lists. */
export const runActions =
  (actions: Readonly<Record<string, AdminCommand>>): AdminCommand =>
  (admin, input) => {
    const [word = 'list'] = input.words;
    const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
    if (action === undefined)
      throw new UsageError(
        `'${word}' is no action of this command; accepted ${acceptedWords(word, Object.keys(actions))}`,
      );
    return action(admin, input);
  };

/** Prints records, as lines for people or as JSON for programs. */
export const printRecords = <T>(input: CommandInput, records: readonly T[], lineOf: (record: T) => string): number => {
  if (input.options['json'] === true) printJson(input.world, records);
  else for (const record of records) input.world.print(lineOf(record));
  return exitCodes.done;
};

/** Prints a record, or says that it is not there. */
export const printFound = <T>(
  input: CommandInput,
  record: T | null,
  { lineOf, missing }: { readonly lineOf: (record: T) => string; readonly missing: string },
): number => {
  if (record === null) {
    input.world.complain(missing);
    return exitCodes.refused;
  }
  if (input.options['json'] === true) printJson(input.world, record);
  else input.world.print(lineOf(record));
  return exitCodes.done;
};

/** The cells of a line, with two spaces between them. */
export const cells = (...texts: readonly (string | null)[]): string => texts.map((text) => text ?? '-').join('  ');

/** An instant as people and programs read it. */
export const timeText = (atMs: number | null): string => (atMs === null ? '-' : new Date(atMs).toISOString());
