export { UnsafeServerError, type ServerFault } from './unsafe-server-error.ts';
export { mysqlStorage, type MysqlStorageOptions } from './mysql-storage.ts';
