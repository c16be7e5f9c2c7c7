import { textOption, UsageError, type CommandInput } from './command.ts';

/** The dimensions that `--group` names, with commas between; without the option those of `otherwise`. */
export const groupOption = <Names extends Readonly<Record<string, string>>>(
  input: CommandInput,
  dimensions: Names,
  otherwise = '',
): readonly (keyof Names & string)[] => {
  const isDimension = (word: string): word is keyof Names & string => Object.hasOwn(dimensions, word);
  return (textOption(input, 'group') ?? otherwise)
    .split(',')
    .filter((word) => word !== '')
    .map((word) => {
      if (isDimension(word)) return word;
      throw new UsageError(`--group takes ${Object.keys(dimensions).join(', ')}, with commas between`);
    });
};
