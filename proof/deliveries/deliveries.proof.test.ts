import { expect, test } from 'vitest';
import { runDeliveries } from './run-deliveries.ts';

test('reaches working receivers beside receivers that fail, hang, redirect, drip, break off and rebind, and no internal address [webhooks:delivery:no-redirects] [webhooks:delivery:recheck-address]', async () => {
  const report = await runDeliveries({ projects: 1, events: 6, attemptMs: 1_500, seed: 20_261_120 });
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ deliveries: 48, delivered: 12, triesMax: 8, forbidden: 0 });
  // A receiver that hangs had not even failed once when every honest one had everything.
  expect(report.hungMeanwhile).toBe(6);
});
