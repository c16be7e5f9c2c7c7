import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { openGateway } from './open-in-process.ts';
import { createPostgresData } from './postgres-data.ts';
import { reachBySocket } from './reach-by-socket.ts';

const data = createPostgresData();

describeGateway({ describe, test }, 'a gateway over postgresStorage on a socket', (opening) =>
  openGateway(opening, { data, reach: reachBySocket }),
);
