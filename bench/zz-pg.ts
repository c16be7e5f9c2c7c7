import { spawnSync } from 'node:child_process';
import { startKeeper, createTestDatabase } from '../test/postgres-server.ts';
const keeper = await startKeeper();
const { url } = await createTestDatabase(await keeper.server());
const r = spawnSync(process.execPath, ['--conditions=@tollgate/source', 'bench/uploads.ts'], { env: { ...process.env, BENCH_POSTGRES: url }, encoding: 'utf8' });
console.log(r.stdout.split('\n').filter(l=>l.includes('PostgreSQL')).join('\n'), r.stderr);
await keeper.stop();
