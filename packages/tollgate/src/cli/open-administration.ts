import { createAdministration, createEngine, parseTariff, type Administration } from '@tollgate/engine';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { consoleLogger } from '../console-logger.ts';
import { textOption, type CommandInput } from './command.ts';

const defaultDatabase = './tollgate-data/tollgate.db';

export const databaseOf = (input: CommandInput): string =>
  textOption(input, 'db') ?? input.world.environment['TOLLGATE_DB'] ?? defaultDatabase;

/** No command prices anything anew: what is settled is settled at an amount that is known. */
const noTariff = parseTariff({ version: 'command-line', models: {} });

/** Opens the database for one command, and closes it however the command ends. */
export const withAdministration = async (
  input: CommandInput,
  run: (admin: Administration) => Promise<number>,
): Promise<number> => {
  const storage = sqliteStorage({ path: databaseOf(input) });
  try {
    return await run(createAdministration(createEngine({ storage, tariff: noTariff, logger: consoleLogger })));
  } finally {
    await storage.close();
  }
};
