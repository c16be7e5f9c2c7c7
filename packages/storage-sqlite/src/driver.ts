export type { SqliteDriver } from './driver-connection.ts';
export { driverStorage, type DriverStorageOptions } from './driver-storage.ts';
