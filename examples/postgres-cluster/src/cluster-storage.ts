import type { Storage } from '@tollgate/storage';
import { postgresStorage } from '@tollgate/storage-postgres';

/** Where the processes of one cluster meet. */
export interface ClusterDatabase {
  readonly url: string;
  readonly schema: string;
}

/** How the processes are configured, and find it again. */
export const databaseEnvironment = ({ url, schema }: ClusterDatabase): Readonly<Record<string, string>> => ({
  CLUSTER_DATABASE: url,
  CLUSTER_SCHEMA: schema,
});

export const databaseOfProcess = (): ClusterDatabase => ({
  url: process.env['CLUSTER_DATABASE'] ?? '',
  schema: process.env['CLUSTER_SCHEMA'] ?? '',
});

/** Four connections: two connections, one for reads, one for the rest. The schema was brought up to date before any process started. */
export const openStorage = ({ url, schema }: ClusterDatabase): Promise<Storage> =>
  postgresStorage({ connectionString: url, schema, migrate: false });
