import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { memoryData, openGateway } from './open-in-process.ts';
import { reachBySocket } from './reach-by-socket.ts';

describeGateway({ describe, test }, 'a gateway over memoryStorage on a socket', (opening) =>
  openGateway(opening, { data: memoryData, reach: reachBySocket }),
);
