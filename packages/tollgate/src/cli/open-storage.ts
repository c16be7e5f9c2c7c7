import type { Storage } from '@tollgate/storage';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { defaultDatabase } from '../default-database.ts';
import { textOption, UsageError, type CommandInput } from './command.ts';

/** The address of a PostgreSQL database, where the command line or the environment names one. */
export const postgresOf = (input: CommandInput): string | undefined => {
  const given = textOption(input, 'postgres');
  if (given === '') throw new UsageError('--postgres takes an address');
  // A database file on the command line outweighs what the environment says.
  if (given !== undefined || textOption(input, 'db') !== undefined) return given;
  const environment = input.world.environment['TOLLGATE_POSTGRES'];
  return environment === '' ? undefined : environment;
};

/** Opens the database that a command is about. */
export const openStorage = async (input: CommandInput): Promise<Storage> => {
  const connectionString = postgresOf(input);
  if (connectionString === undefined)
    return sqliteStorage({
      path: textOption(input, 'db') ?? input.world.environment['TOLLGATE_DB'] ?? defaultDatabase,
    });
  if (textOption(input, 'db') !== undefined) throw new UsageError('--db and --postgres exclude each other');
  // Loaded only where it is asked for: most command lines never need the driver.
  const { postgresStorage } = await import('@tollgate/storage-postgres');
  return postgresStorage({ connectionString });
};
