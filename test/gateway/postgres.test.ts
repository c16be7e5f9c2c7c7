import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { openGateway } from './open-in-process.ts';
import { createPostgresData } from './postgres-data.ts';

const data = createPostgresData();

describeGateway({ describe, test }, 'a gateway over postgresStorage', (opening) => openGateway(opening, { data }));
