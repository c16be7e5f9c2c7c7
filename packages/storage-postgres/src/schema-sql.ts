import { migrations } from './migrations.ts';

/** The SQL of every version of the schema, in the order in which it is run on an empty database. */
export const schemaSql = (): string =>
  migrations.map(({ version, sql }) => `-- Version ${version}\n${sql.trim()}\n`).join('\n');
