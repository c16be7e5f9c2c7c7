import { exitCodes, printJson, UsageError, type CommandInput } from './command.ts';
import { loadPostgres } from './load-postgres.ts';
import { postgresOf, schemaOf } from './open-storage.ts';

/** Brings the schema of a PostgreSQL database up to date; a SQLite file is, whenever it is opened. */
export const migrateCommand = async (input: CommandInput): Promise<number> => {
  const connectionString = postgresOf(input);
  if (connectionString === undefined)
    throw new UsageError('--postgres is needed, or an address in TOLLGATE_POSTGRES or DATABASE_URL');
  const { migratePostgres } = await loadPostgres();
  const applied = await migratePostgres({ connectionString, ...schemaOf(input) });
  if (input.options['json'] === true) printJson(input.world, { applied });
  else input.world.print(applied.length === 0 ? 'up to date' : `migrated to version ${Math.max(...applied)}`);
  return exitCodes.done;
};
