export type { SqliteDriver } from './driver-connection.ts';
export { driverStorage, type DriverStorageOptions } from './driver-storage.ts';
export { durableObjectDriver, type DurableObjectDatabase } from './durable-object-driver.ts';
