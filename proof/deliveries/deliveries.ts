// Sends events to honest and hostile receivers, through all their attempts, and checks where they went:
// npm run deliveries -- [--projects 14] [--events 90] [--attempt-ms 5000] [--seed 1]
import { parseArgs } from 'node:util';
import { runDeliveries } from './run-deliveries.ts';

const { values: flags } = parseArgs({
  options: {
    projects: { type: 'string', default: '14' },
    /** A hundred at the most: so many deliveries of one webhook can be read. */
    events: { type: 'string', default: '90' },
    'attempt-ms': { type: 'string', default: '5000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});

const { findings, seconds, ...figures } = await runDeliveries({
  projects: Number(flags.projects),
  events: Number(flags.events),
  attemptMs: Number(flags['attempt-ms']),
  seed: Number(flags.seed),
});
console.log(`seed ${flags.seed}`);
console.table([{ ...figures, seconds: Math.round(seconds), findings: findings.length }]);
for (const finding of findings.slice(0, 20)) console.error(finding);
if (findings.length > 0) process.exitCode = 1;
