import { expect, test } from 'vitest';
import { runSchedules } from './run-schedules.ts';
import { testDatabase } from '../../test/postgres-server.ts';

const scale = Number(process.env['TEST_SCALE'] ?? '1');
const triggers = 300 * scale;

test(`opens one interaction for each of ${triggers} due triggers, while workers are killed [triggers:run:retries-reuse-identity]`, async () => {
  const database = await testDatabase();
  const options = { url: database.url, triggers, perRound: 150 * scale, workers: 2, seed: 20_261_120 };
  const { findings, occurrences, kills } = await runSchedules(options);
  await database.drop();
  expect(findings).toEqual([]);
  expect(occurrences).toBe(triggers);
  expect(kills).toBeGreaterThan(0);
});
