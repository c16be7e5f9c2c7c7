import { Pool } from 'pg';

/** Connections to the database of the shop, with a schema of their own first on the path. */
export const openPool = (connectionString: string, schema: string, max: number): Pool => {
  const pool = new Pool({ connectionString, options: `-c search_path=${schema}`, max });
  // A connection that is lost while it is idle is replaced at the next query; without a listener it would end the process.
  pool.on('error', () => undefined);
  return pool;
};
