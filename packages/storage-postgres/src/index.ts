export { schemaSql } from './migrations.ts';
export { migratePostgres } from './migrate.ts';
export type { MigrateOptions, PostgresStorageOptions, PostgresNotificationsOptions } from './postgres-options.ts';
export { type PostgresSource } from './open-client.ts';
export { postgresStorage } from './postgres-storage.ts';
export { postgresNotifications, type PostgresNotifications } from './postgres-notifications.ts';
export { UnsafeServerError, type ServerFault } from './judge-server.ts';
