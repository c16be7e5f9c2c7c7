import { missingPackage } from '@tollgate/contract/configuration';
import type { migratePostgres, postgresStorage } from '@tollgate/storage-postgres';

interface PostgresPackage {
  readonly migratePostgres: typeof migratePostgres;
  readonly postgresStorage: typeof postgresStorage;
}

const importPostgres = (): Promise<PostgresPackage> => import('@tollgate/storage-postgres');

/** The optional package for PostgreSQL, loaded only where it is asked for. Throws `package_missing` where it is not installed. */
export const loadPostgres = async (load = importPostgres): Promise<PostgresPackage> => {
  try {
    return await load();
  } catch (cause) {
    throw missingPackage('--postgres', '@tollgate/storage-postgres', cause);
  }
};
