import { cells } from '@tollgate/storage-cells';
import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { openGateway, type CreateData } from './open-in-process.ts';
import { createPostgresData } from './postgres-data.ts';

const databases = { a: createPostgresData(), b: createPostgresData() };

/** Two databases, each with its own accounts. */
const postgresCells: CreateData = (now) => {
  const [a, b] = [databases.a(now), databases.b(now)];
  return () => cells({ cells: { a, b } });
};

describeGateway({ describe, test }, 'a gateway over two cells on postgresStorage', (opening) =>
  openGateway(opening, { data: postgresCells }),
);
