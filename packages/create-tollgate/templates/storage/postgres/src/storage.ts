import { postgresStorage } from '@tollgate/storage-postgres';
import { required, type Environment } from './environment.ts';

/** `false` leaves the schema to `npm run tollgate -- migrate`, which runs before processes of a new version start. */
const migratesAtStart = ({ TOLLGATE_MIGRATE: word = 'true' }: Environment): boolean => {
  if (word !== 'true' && word !== 'false')
    throw new Error(`TOLLGATE_MIGRATE is '${word}'; accepted are true and false`);
  return word === 'true';
};

/** A schema of a PostgreSQL database, which any number of processes may share. */
export const openStorage = (environment: Environment) =>
  postgresStorage({
    connectionString: required(environment, 'DATABASE_URL'),
    schema: environment['TOLLGATE_SCHEMA'] ?? 'tollgate',
    migrate: migratesAtStart(environment),
  });
