import { textOption, UsageError, type CommandInput } from './command.ts';

/** The account that a command is about: `--account ID`, or the word behind the command. */
export const accountOf = (input: CommandInput): string => {
  const [word] = input.words;
  const given = textOption(input, 'account');
  if (word !== undefined && given !== undefined)
    throw new UsageError(`one account is accepted, and two came: ${word}, and ${given} as --account`);
  const id = given ?? word ?? '';
  if (id === '') throw new UsageError('--account is needed');
  return id;
};
