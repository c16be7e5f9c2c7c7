export { mysqlStorage, type MysqlStorageOptions } from './mysql-storage.ts';
