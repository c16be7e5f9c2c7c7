import { expect, test } from 'vitest';
import { runDeliveries } from '../scripts/deliveries/run-deliveries.ts';

test('reaches the honest beside receivers that fail, hang, redirect, drip, break off and rebind, and nobody inside [webhooks:delivery:no-redirects] [webhooks:delivery:recheck-address]', async () => {
  const report = await runDeliveries({ projects: 1, events: 6, attemptMs: 1_500, seed: 20_261_120 });
  expect(report.findings).toEqual([]);
  expect(report).toMatchObject({ deliveries: 48, delivered: 12, triesMax: 8, forbidden: 0 });
  // Whoever hangs had not even failed once when everybody honest had everything.
  expect(report.hungMeanwhile).toBe(6);
}, 180_000);
