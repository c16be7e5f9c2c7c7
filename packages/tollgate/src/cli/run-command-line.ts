import { acceptedWords, isConfigurationError } from '@tollgate/contract/configuration';
import type { Administration } from '@tollgate/engine';
import { runAbout } from './about-commands.ts';
import { accountsCommand, balanceCommand } from './accounts-command.ts';
import { auditCommand } from './audit-command.ts';
import {
  exitCodes,
  InputFileError,
  UsageError,
  type AdminCommand,
  type CommandInput,
  type CommandWorld,
} from './command.ts';
import { compensateCommand } from './compensate-command.ts';
import { deliveriesCommand } from './deliveries-command.ts';
import { depositCommand } from './deposit-command.ts';
import { optionFaults } from './configuration-faults.ts';
import { commandHelp, generalHelp, helpOf, helpHint } from './help.ts';
import { importCommand } from './import/import-command.ts';
import { initCommand, isDatabaseMissing } from './init-command.ts';
import { keyCommand } from './key-command.ts';
import { withAdministration } from './open-administration.ts';
import { migrateCommand } from './migrate-command.ts';
import { parseOptions } from './parse-options.ts';
import { operationsCommand } from './operations-command.ts';
import { pricesCommand } from './prices/prices-command.ts';
import { projectsCommand } from './projects-command.ts';
import { reconcileCommand } from './reconcile-command.ts';
import { resolveCommand } from './resolve-command.ts';
import { schedulesCommand } from './schedules-command.ts';
import { startCommand } from './start-command.ts';
import { statementCommand } from './statement-command.ts';
import { tokenCommand } from './token-command.ts';
import { usageCommand } from './usage-command.ts';

const adminCommands: Readonly<Record<string, AdminCommand>> = {
  accounts: accountsCommand,
  projects: projectsCommand,
  key: keyCommand,
  token: tokenCommand,
  balance: balanceCommand,
  statement: statementCommand,
  deposit: depositCommand,
  compensate: compensateCommand,
  operations: operationsCommand,
  deliveries: deliveriesCommand,
  schedules: schedulesCommand,
  resolve: resolveCommand,
  reconcile: reconcileCommand,
  audit: auditCommand,
  usage: usageCommand,
  import: importCommand,
};

/** Commands whose first word is an action. */
const withActions: ReadonlySet<string> = new Set([
  'accounts',
  'projects',
  'deliveries',
  'schedules',
  'key',
  'token',
  'prices',
]);

/** Commands that take the name of one thing: an operation, a file, an account. */
const withOneWord: ReadonlySet<string> = new Set(['resolve', 'import', 'balance', 'statement']);

/** Actions that act on nothing that is named. */
const bareActions: ReadonlySet<string> = new Set(['list', 'create']);

/** Words that a command takes beside its options: an action, and what it acts on. */
const wordsMaxOf = (command: string, [action = 'list']: readonly string[]): number => {
  if (withActions.has(command)) return bareActions.has(action) ? 1 : 2;
  return withOneWord.has(command) ? 1 : 0;
};

/** What the administration refuses of a command line's values is said by the options that they were given by. */
const runAdmin = async (command: AdminCommand, admin: Administration, input: CommandInput): Promise<number> => {
  try {
    return await command(admin, input);
  } catch (cause) {
    throw isConfigurationError(cause) ? new UsageError(optionFaults(cause)) : cause;
  }
};

const runCommand = (command: string, rest: readonly string[], world: CommandWorld): Promise<number> | number => {
  const input = parseOptions(command, rest, world);
  if (input.options['help'] === true) {
    world.print(helpOf(command));
    return exitCodes.done;
  }
  const extra = input.words[wordsMaxOf(command, input.words)];
  if (extra !== undefined) throw new UsageError(`'${extra}' is not understood`);
  if (command === 'migrate') return migrateCommand(input);
  if (command === 'init') return initCommand(input);
  if (command === 'prices') return pricesCommand(input);
  const admin = adminCommands[command];
  return admin === undefined
    ? startCommand(input)
    : withAdministration(input, (opened) => runAdmin(admin, opened, input), {
        orEmpty: command === 'import' && input.options['dry-run'] === true,
      });
};

const unknownCommand = (command: string): string =>
  `unknown command: ${command}; accepted ${acceptedWords(command, Object.keys(commandHelp))}`;

const failureOf = (cause: unknown): string => {
  if (isDatabaseMissing(cause))
    return `${cause.message}. --db names a file, --postgres and --schema a PostgreSQL database; tollgate init makes a new one.`;
  return cause instanceof Error ? cause.message : String(cause);
};

/** Characters that a terminal obeys or that change the order of a line: texts of tenants and of bills may hold them. */
const obeyed = /[^\P{C}\t\n\p{Cn}\p{Co}\p{Cs}]|[\u2028\u2029]/gu;

const escaped = (character: string): string =>
  character
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

const visible = (text: string): string => text.replaceAll(obeyed, escaped);

const printingVisibly = (world: CommandWorld): CommandWorld => ({
  ...world,
  print: (text) => world.print(visible(text)),
  complain: (text) => world.complain(visible(text)),
});

/** Runs one command line and returns its exit code. Nothing it prints to standard output is anything but the answer. */
export const runCommandLine = async (words: readonly string[], given: CommandWorld): Promise<number> => {
  const world = printingVisibly(given);
  const [command, ...rest] = words;
  if (command === '--help' || command === '-h' || command === 'help') {
    world.print(generalHelp);
    return exitCodes.done;
  }
  try {
    const about = await runAbout(words, world);
    if (about !== null) return about;
  } catch (cause) {
    if (!(cause instanceof UsageError)) throw cause;
    world.complain(`${cause.message}\n\n${generalHelp}`);
    return exitCodes.usage;
  }
  if (command === undefined || !Object.hasOwn(commandHelp, command)) {
    world.complain(command === undefined ? generalHelp : `${unknownCommand(command)}\n\n${generalHelp}`);
    return exitCodes.usage;
  }
  try {
    return await runCommand(command, rest, world);
  } catch (cause) {
    if (cause instanceof UsageError) {
      world.complain(`${cause.message}\n${helpHint(command)}`);
      return exitCodes.usage;
    }
    if (cause instanceof InputFileError) {
      world.complain(cause.message);
      return exitCodes.usage;
    }
    world.complain(failureOf(cause));
    return exitCodes.refused;
  }
};
