import { describeGateway } from '@tollgate/testing/gateway';
import { describe, test } from 'vitest';
import { openGateway } from './open-in-process.ts';
import { createSqliteData } from './sqlite-data.ts';

const data = createSqliteData();

describeGateway({ describe, test }, 'a gateway over sqliteStorage', (opening) => openGateway(opening, { data }));
