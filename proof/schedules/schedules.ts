// Kills the workers of due triggers and checks that each ran once:
// npm run schedules -- [--triggers 60000] [--workers 4] [--per-round 3000] [--seed 1]; a server of its own, or TEST_DATABASE_URL
import { parseArgs } from 'node:util';
import { createTestDatabase, keepForRun, postgresServer } from '../../test/postgres-server.ts';
import { runSchedules } from './run-schedules.ts';

const { values: flags } = parseArgs({
  options: {
    triggers: { type: 'string', default: '60000' },
    workers: { type: 'string', default: '4' },
    'per-round': { type: 'string', default: '3000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const stopServer = await keepForRun();
try {
  const database = await createTestDatabase(await postgresServer());
  const report = await runSchedules({
    url: database.url,
    triggers: Number(flags.triggers),
    workers: Number(flags.workers),
    perRound: Number(flags['per-round']),
    seed: Number(flags.seed),
  });
  const { findings, seconds, ...figures } = report;
  console.log(`seed ${flags.seed}`);
  console.table([{ ...figures, seconds: Math.round(seconds), findings: findings.length }]);
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
  await database.drop();
} finally {
  await stopServer();
}
