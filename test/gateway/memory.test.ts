import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { memoryData, openGateway } from './open-in-process.ts';

describeGateway({ describe, test }, 'a gateway over memoryStorage', (opening) =>
  openGateway(opening, { data: memoryData }),
);
