import { parseArgs } from 'node:util';
import { choiceNames, choiceValues, type ChoiceName, type Choices } from './choices.ts';
import { CreateError } from './create-error.ts';

/** What is asked for; what is missing is asked, or takes its default. */
export interface Asked {
  readonly help: boolean;
  /** Whether nothing is asked. */
  readonly yes: boolean;
  readonly directory: string | null;
  readonly choices: Partial<Choices>;
}

const optionNames: readonly string[] = [...choiceNames, 'yes', 'help'];
const list = (names: readonly string[]): string => names.join(', ');

const optionFault = (name: string): string =>
  `--${name} is not known; accepted are ${list(optionNames.map((one) => `--${one}`))}`;

export const isValueOf = <Name extends ChoiceName>(name: Name, value: string): value is Choices[Name] =>
  choiceValues[name].some((accepted) => accepted === value);

const choiceOf = <Name extends ChoiceName>(
  name: Name,
  given: string | boolean | undefined,
): Choices[Name] | undefined => {
  if (given === undefined) return undefined;
  if (typeof given === 'string' && isValueOf(name, given)) return given;
  const came = typeof given === 'string' ? `'${given}'` : 'no value';
  throw new CreateError(`--${name} is ${came}; accepted are ${list(choiceValues[name])}`);
};

/** Reads the arguments of the command. Throws a `CreateError` that names what is wrong and what is accepted. */
export const parseArguments = (args: readonly string[]): Asked => {
  // Tolerant, so that the refusals are ours.
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      ...Object.fromEntries(choiceNames.map((name) => [name, { type: 'string' } as const])),
      yes: { type: 'boolean', short: 'y' },
      help: { type: 'boolean', short: 'h' },
    },
    allowPositionals: true,
    strict: false,
  });
  const unknown = Object.keys(values).find((name) => !optionNames.includes(name));
  if (unknown !== undefined) throw new CreateError(optionFault(unknown));
  if (positionals.length > 1)
    throw new CreateError(`one folder is accepted, and ${positionals.length} came: ${list(positionals)}`);
  const choices = {
    host: choiceOf('host', values['host']),
    storage: choiceOf('storage', values['storage']),
    provider: choiceOf('provider', values['provider']),
    payments: choiceOf('payments', values['payments']),
  };
  return {
    help: values['help'] === true,
    yes: values['yes'] === true,
    directory: positionals[0] ?? null,
    choices: Object.fromEntries(Object.entries(choices).filter(([, value]) => value !== undefined)),
  };
};
