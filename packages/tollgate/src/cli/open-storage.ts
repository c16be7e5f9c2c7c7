import type { Storage } from '@tollgate/storage';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { defaultDatabase } from '../default-database.ts';
import { loadPostgres } from './load-postgres.ts';
import { textOption, UsageError, type CommandInput } from './command.ts';

const isPostgresUrl = (text: string): boolean => /^postgres(?:ql)?:\/\//.test(text);

/** The address of a PostgreSQL database, where the command line or the environment names one. */
export const postgresOf = (input: CommandInput): string | undefined => {
  const given = textOption(input, 'postgres');
  if (given === '') throw new UsageError('--postgres takes an address');
  // A database file on the command line outweighs what the environment says.
  if (given !== undefined || textOption(input, 'db') !== undefined) return given;
  const { TOLLGATE_POSTGRES: own = '', DATABASE_URL: shared = '' } = input.world.environment;
  if (own !== '') return own;
  // It may be the address of another kind of database, which is none of ours.
  return isPostgresUrl(shared) ? shared : undefined;
};

/** The schema of the PostgreSQL database, where the command line or the environment names one. */
export const schemaOf = (input: CommandInput): { readonly schema?: string } => {
  const given = textOption(input, 'schema');
  if (given === '') throw new UsageError('--schema takes a name');
  const schema = given ?? (input.world.environment['TOLLGATE_SCHEMA'] || undefined);
  return schema === undefined ? {} : { schema };
};

const databaseFile = (input: CommandInput): string => {
  const given = textOption(input, 'db');
  if (given === '') throw new UsageError('--db takes the path of a file');
  return given ?? (input.world.environment['TOLLGATE_DB'] || defaultDatabase);
};

/** Where the database of a command is, without what an address may hold of a password. */
export const placeOf = (input: CommandInput): string =>
  postgresOf(input) === undefined ? databaseFile(input) : `PostgreSQL, schema ${schemaOf(input).schema ?? 'tollgate'}`;

/** The forms that the driver takes: an address, or a path of a socket's folder. */
const isPostgresAddress = (text: string): boolean => isPostgresUrl(text) || text.startsWith('/');

/** Whether the command may make a database where there is none: what only looks or administers must not. */
export interface StorageChoice {
  readonly create: boolean;
}

/** Opens the database that a command is about. Throws `database_missing` where there is none and the command may not make one. */
export const openStorage = async (input: CommandInput, { create }: StorageChoice): Promise<Storage> => {
  const connectionString = postgresOf(input);
  if (connectionString === undefined) {
    if (textOption(input, 'schema') !== undefined) throw new UsageError('--schema is for --postgres');
    return sqliteStorage({ path: databaseFile(input), create });
  }
  if (!isPostgresAddress(connectionString))
    throw new UsageError(
      '--postgres (or TOLLGATE_POSTGRES) takes an address such as postgres://user@host:5432/database',
    );
  if (textOption(input, 'db') !== undefined) throw new UsageError('--db and --postgres exclude each other');
  const { postgresStorage } = await loadPostgres();
  return postgresStorage({ connectionString, create, ...schemaOf(input) });
};
