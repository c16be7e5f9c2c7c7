export { createConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts';
