// Races processes for the same identities on one wallet near zero:
// npm run races -- [--rounds 10000] [--processes 4] [--seed 1]; a server of its own, or TEST_DATABASE_URL
import { parseArgs } from 'node:util';
import { createTestDatabase, keepForRun, postgresServer } from '../../test/postgres-server.ts';
import { runRaces } from './run-races.ts';

const { values: flags } = parseArgs({
  options: {
    rounds: { type: 'string', default: '10000' },
    processes: { type: 'string', default: '4' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const stopServer = await keepForRun();
try {
  const database = await createTestDatabase(await postgresServer());
  const { rounds, processes, seed } = flags;
  const report = await runRaces({
    url: database.url,
    rounds: Number(rounds),
    processes: Number(processes),
    seed: Number(seed),
  });
  const { findings, told, seconds, calls, ...figures } = report;
  console.log(`seed ${seed}`);
  console.table([
    { processes, ...figures, calls, 'calls/s': Math.round(calls / seconds), ...told, findings: findings.length },
  ]);
  for (const finding of findings) console.error(finding);
  if (findings.length > 0) process.exitCode = 1;
  await database.drop();
} finally {
  await stopServer();
}
