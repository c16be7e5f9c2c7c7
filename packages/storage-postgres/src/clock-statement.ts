import { plainStatement } from './statement.ts';

/** The server's clock in whole milliseconds, as SQL; of the moment itself and not of the transaction's start. */
export const clockSql = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint';

export const clockStatement = { ...plainStatement(`SELECT ${clockSql}`), name: 'clock' };
