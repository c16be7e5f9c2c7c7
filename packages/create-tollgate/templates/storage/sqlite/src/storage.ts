import { sqliteStorage } from 'tollgate';
import type { Environment } from './environment.ts';

/** One file on a local disk. Several processes of one machine may share it. */
export const openStorage = ({ TOLLGATE_DB: path = './tollgate-data/tollgate.db' }: Environment) =>
  sqliteStorage({ path });
