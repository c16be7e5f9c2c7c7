import { parseArgs } from 'node:util';
import { auditCommand } from './audit-command.ts';
import { exitCodes, UsageError, type AdminCommand, type CommandInput, type CommandWorld } from './command.ts';
import { depositCommand } from './deposit-command.ts';
import { commandHelp, generalHelp, helpOf } from './help.ts';
import { keyCommand } from './key-command.ts';
import { withAdministration } from './open-administration.ts';
import { migrateCommand } from './migrate-command.ts';
import { operationsCommand } from './operations-command.ts';
import { resolveCommand } from './resolve-command.ts';
import { startCommand } from './start-command.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The options of each command beside the common ones. */
const optionsOf: Readonly<Record<string, Readonly<Record<string, typeof text | typeof flag>>>> = {
  start: { port: text, host: text, upstream: text, 'upstream-model': text, compat: text },
  key: { project: text, account: text, model: text, name: text },
  deposit: { account: text, credits: text, reference: text },
  operations: { state: text, account: text, project: text, id: text },
  resolve: { failed: flag, charge: text, settle: flag },
  audit: {},
  migrate: {},
};

const adminCommands: Readonly<Record<string, AdminCommand>> = {
  key: keyCommand,
  deposit: depositCommand,
  operations: operationsCommand,
  resolve: resolveCommand,
  audit: auditCommand,
};

const parse = (command: string, rest: readonly string[], world: CommandWorld): CommandInput => {
  try {
    const parsed = parseArgs({
      args: [...rest],
      allowPositionals: true,
      options: { ...optionsOf[command], db: text, postgres: text, 'base-path': text, json: flag, help: flag },
    });
    return { words: parsed.positionals, options: parsed.values, world };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'the command line cannot be read');
  }
};

/** Words that a command takes beside its options: an action, and what it acts on. */
const wordsMaxOf = (command: string, [action]: readonly string[]): number => {
  if (command === 'key') return action === 'revoke' ? 2 : 1;
  return command === 'resolve' ? 1 : 0;
};

const runCommand = (command: string, rest: readonly string[], world: CommandWorld): Promise<number> | number => {
  const input = parse(command, rest, world);
  if (input.options['help'] === true) {
    world.print(helpOf(command));
    return exitCodes.done;
  }
  const extra = input.words[wordsMaxOf(command, input.words)];
  if (extra !== undefined) throw new UsageError(`'${extra}' is not understood`);
  if (command === 'migrate') return migrateCommand(input);
  const admin = adminCommands[command];
  return admin === undefined ? startCommand(input) : withAdministration(input, (opened) => admin(opened, input));
};

/** Runs one command line and answers its exit code. Nothing it prints to standard output is anything but the answer. */
export const runCommandLine = async (words: readonly string[], world: CommandWorld): Promise<number> => {
  const [command, ...rest] = words;
  if (command === '--help' || command === '-h' || command === 'help') {
    world.print(generalHelp);
    return exitCodes.done;
  }
  if (command === undefined || commandHelp[command] === undefined) {
    world.complain(command === undefined ? generalHelp : `unknown command: ${command}\n\n${generalHelp}`);
    return exitCodes.usage;
  }
  try {
    return await runCommand(command, rest, world);
  } catch (cause) {
    if (cause instanceof UsageError) {
      world.complain(`${cause.message}\n\n${helpOf(command)}`);
      return exitCodes.usage;
    }
    world.complain(cause instanceof Error ? cause.message : String(cause));
    return exitCodes.refused;
  }
};
