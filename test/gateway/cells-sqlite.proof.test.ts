import { cells } from '@tollgate/storage-cells';
import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { openGateway, type CreateData } from './open-in-process.ts';
import { createSqliteData } from './sqlite-data.ts';

const data = createSqliteData();

/** Two files, each with its own accounts. */
const sqliteCells: CreateData = (now) => {
  const [a, b] = [data(now), data(now)];
  return () => cells({ cells: { a, b } });
};

describeGateway({ describe, test }, 'a gateway over two cells on sqliteStorage', (opening) =>
  openGateway(opening, { data: sqliteCells }),
);
