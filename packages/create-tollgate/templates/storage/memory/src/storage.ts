import { memoryStorage } from '@tollgate/storage-memory';
import type { Environment } from './environment.ts';

/** Everything is lost when the process ends. For trying out, and for tests. */
export const openStorage = (_environment: Environment) => memoryStorage();
