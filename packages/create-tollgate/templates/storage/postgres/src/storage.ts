import { postgresStorage } from '@tollgate/storage-postgres';
import { required, type Environment } from './environment.ts';

/** A schema of a PostgreSQL database, which any number of processes may share. It is created and migrated at the start. */
export const openStorage = (environment: Environment) =>
  postgresStorage({
    connectionString: required(environment, 'DATABASE_URL'),
    schema: environment['TOLLGATE_SCHEMA'] ?? 'tollgate',
  });
