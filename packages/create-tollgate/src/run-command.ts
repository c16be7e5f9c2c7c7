import { askChoices, askDirectory, defaultDirectory, toOptions, type Ask } from './ask-choices.ts';
import { choiceNames, choiceValues, conflictOf, defaultChoices } from './choices.ts';
import { CreateError, isCreateError } from './create-error.ts';
import { createProject, refuseDirectory } from './create-project.ts';
import { nextSteps, packageManagerOf } from './next-steps.ts';
import { refuseTakenOptions } from './taken-options.ts';
import { parseArguments } from './parse-arguments.ts';

export interface Terminal {
  readonly print: (text: string) => void;
  readonly complain: (text: string) => void;
  /** Null where no terminal is there to ask: what is missing takes its default. */
  readonly ask: Ask | null;
  /** What a package manager says of itself and of the command line that it was given. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

const help = [
  'npm create tollgate [FOLDER] -- [OPTIONS]',
  '',
  'Creates a metered AI gateway in a folder that is empty or does not exist.',
  '',
  ...choiceNames.map((name) => `  --${name.padEnd(9)} ${choiceValues[name].join(', ')}`),
  '  --yes       asks nothing: what is not given takes the first value above',
  '  --help',
].join('\n');

const create = async (args: readonly string[], terminal: Terminal): Promise<void> => {
  const manager = packageManagerOf(terminal.environment['npm_config_user_agent']);
  if (manager === 'npm') refuseTakenOptions(args, terminal.environment);
  const asked = parseArguments(args);
  if (asked.help) {
    terminal.print(help);
    return;
  }
  const ask = asked.yes ? null : terminal.ask;
  const directory = asked.directory ?? (ask === null ? defaultDirectory : await askDirectory(ask));
  // Before the questions: their answers would be lost.
  await refuseDirectory(directory);
  const choices = ask === null ? { ...defaultChoices, ...asked.choices } : await askChoices(asked.choices, ask);
  const conflict = conflictOf(choices);
  if (conflict !== null) throw new CreateError(conflict);
  const files = await createProject({ directory, choices });
  terminal.print(`created ${directory} with ${files.length} files: ${toOptions(choices)}\n`);
  terminal.print(nextSteps(directory, choices, manager).join('\n'));
};

/** Runs `create-tollgate` and returns its exit code: 0 done, 1 refused. */
export const runCommand = async (args: readonly string[], terminal: Terminal): Promise<number> => {
  try {
    await create(args, terminal);
    return 0;
  } catch (cause) {
    if (!isCreateError(cause)) throw cause;
    terminal.complain(`create-tollgate: ${cause.message}`);
    return 1;
  }
};
