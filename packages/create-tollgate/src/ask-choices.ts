import { choiceNames, choiceValues, defaultChoices, meanings, type ChoiceName, type Choices } from './choices.ts';
import { CreateError } from './create-error.ts';
import { isValueOf } from './parse-arguments.ts';

/** Asks one question and returns the line that was typed. */
export type Ask = (question: string) => Promise<string>;

const triesMax = 3;
export const defaultDirectory = 'my-gateway';

const askOne = async <Name extends ChoiceName>(name: Name, ask: Ask): Promise<Choices[Name]> => {
  const values: readonly string[] = choiceValues[name];
  const texts: Readonly<Record<string, string>> = meanings[name];
  const rows = values.map((value, index) => `  ${index + 1}  ${value}: ${texts[value]}`);
  const question = [name, ...rows, `1 to ${values.length}, or a name [${values[0]}]: `].join('\n');
  for (let tries = 0; tries < triesMax; tries += 1) {
    const typed = (await ask(question)).trim();
    const value = typed === '' ? defaultChoices[name] : (values[Number(typed) - 1] ?? typed);
    if (isValueOf(name, value)) return value;
  }
  throw new CreateError(`no ${name} was chosen; accepted are ${values.join(', ')}`);
};

/** Asks for each choice that the arguments left open. */
export const askChoices = async (given: Partial<Choices>, ask: Ask): Promise<Choices> => ({
  host: given.host ?? (await askOne('host', ask)),
  storage: given.storage ?? (await askOne('storage', ask)),
  provider: given.provider ?? (await askOne('provider', ask)),
  payments: given.payments ?? (await askOne('payments', ask)),
});

export const askDirectory = async (ask: Ask): Promise<string> =>
  (await ask(`folder [${defaultDirectory}]: `)).trim() || defaultDirectory;

/** The choices as options, as one would type them. */
export const toOptions = (choices: Choices): string =>
  choiceNames.map((name) => `--${name} ${choices[name]}`).join(' ');
