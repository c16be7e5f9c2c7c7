import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { driverStorage } from '@tollgate/storage-sqlite/driver';
import { describeGateway } from '@tollgate/testing/gateway';
import { afterAll, describe, test } from 'vitest';
import { openDriver } from '../../docs/snippets/sqlite-driver.ts';
import { openGateway, type CreateData } from './open-in-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'tollgate-driver-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const data: CreateData = (now) => {
  files += 1;
  const path = join(folder, `${files}.db`);
  return () => driverStorage({ open: () => openDriver(path), now });
};

describeGateway({ describe, test }, 'a gateway over driverStorage', (opening) => openGateway(opening, { data }));
