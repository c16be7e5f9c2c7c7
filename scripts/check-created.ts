// npm run check:created: what `npm create tollgate` makes, over packages that are built and packed as they would be published.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkCreatedProjects } from './created-projects.ts';
import { packPackages } from './pack-packages.ts';

const home = mkdtempSync(path.join(tmpdir(), 'tollgate-created-'));
try {
  await checkCreatedProjects(home, await packPackages(home));
} finally {
  rmSync(home, { recursive: true });
}
