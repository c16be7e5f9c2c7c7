export { migratePostgres, type MigrateOptions } from './migrate.ts';
export { type PostgresSource } from './open-client.ts';
export { postgresStorage, type PostgresStorageOptions } from './postgres-storage.ts';
export { postgresWakeups, type PostgresWakeups, type PostgresWakeupsOptions } from './postgres-wakeups.ts';
