import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A database of its own for each run of the tests. */
export const createTestDatabase = async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'gateway-test-'));
  return {
    environment: { TOLLGATE_DB: path.join(folder, 'tollgate.db') },
    drop: () => rm(folder, { recursive: true, force: true }),
  };
};
