import { afterAll, beforeAll, expect, test } from 'vitest';
import { askAboutManual } from '../../docs/snippets/google-clients.ts';
import { startGateway, type RunningGateway } from './running-gateway.ts';

let running: RunningGateway;
beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { google: true } } });
});
afterAll(async () => {
  expect(running.errors).toEqual([]);
  await running.close();
});

test('the snippet of caches asks about a manual', async () => {
  const manual = 'The ferry leaves at nine. '.repeat(20);
  expect(await askAboutManual(running.baseUrl, running.key, manual, 'When?')).toContain('reply to 2 turns');
});
