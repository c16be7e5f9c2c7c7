import type { Administration } from '@tollgate/engine';

/** What a command may touch of the world. */
export interface CommandWorld {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly exit: (code: number) => void;
  /** Whether the reader of what is printed is gone. */
  readonly isUnread?: (() => boolean) | undefined;
}

/** Options as parsed: an option takes a text, or several where it may be repeated, or is a switch. */
export interface CommandInput {
  readonly words: readonly string[];
  readonly options: Readonly<Record<string, string | boolean | readonly (string | boolean)[] | undefined>>;
  readonly world: CommandWorld;
}

/** Exit codes: what was asked is done, was refused by the state of things, or was not understood. */
export const exitCodes = { done: 0, refused: 1, usage: 2 } as const;

/** A command line that cannot be understood; shown with the help of its command, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
  readonly code = 'usage';
}

/** A file that a command was given and cannot use; shown alone, exit code 2. */
export class InputFileError extends Error {
  override readonly name = 'InputFileError';
  readonly code = 'input_file';
}

/** A command on the administration of an opened database. */
export type AdminCommand = (admin: Administration, input: CommandInput) => Promise<number>;

export const textOption = ({ options }: CommandInput, name: string): string | undefined => {
  const value = options[name];
  return typeof value === 'string' ? value : undefined;
};

/** The texts of an option that may be repeated. */
export const listOption = ({ options }: CommandInput, name: string): readonly string[] => {
  const value = options[name];
  return Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
};

export const requireOption = (input: CommandInput, name: string): string => {
  const value = textOption(input, name);
  if (value === undefined || value === '') throw new UsageError(`--${name} is needed`);
  return value;
};

/** JSON with amounts as credits, so that scripts can read what people see. */
export const printJson = (world: CommandWorld, value: unknown): void =>
  world.print(JSON.stringify(value, (_, field: unknown) => (typeof field === 'bigint' ? String(field) : field), 2));
