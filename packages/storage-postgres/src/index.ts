export { migratePostgres } from './migrate.ts';
export type { MigrateOptions, PostgresStorageOptions, PostgresWakeupsOptions } from './postgres-options.ts';
export { type PostgresSource } from './open-client.ts';
export { postgresStorage } from './postgres-storage.ts';
export { postgresWakeups, type PostgresWakeups } from './postgres-wakeups.ts';
