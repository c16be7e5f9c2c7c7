import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { openGateway } from './open-in-process.ts';
import { reachBySocket } from './reach-by-socket.ts';
import { createSqliteData } from './sqlite-data.ts';

const data = createSqliteData();

describeGateway({ describe, test }, 'a gateway over sqliteStorage on a socket', (opening) =>
  openGateway(opening, { data, reach: reachBySocket }),
);
