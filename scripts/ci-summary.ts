// Prints how many tests passed and failed, from the reports that `npm test` and `npm run proof` leave, as the last line of a CI run.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const Report = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), success: z.boolean() });

const reports = ['test-report.json', 'proof-report.json'].map((name) =>
  Report.parse(JSON.parse(readFileSync(new URL(`../coverage/${name}`, import.meta.url), 'utf8'))),
);
const sum = (figure: 'numPassedTests' | 'numFailedTests'): number =>
  reports.reduce((total, report) => total + report[figure], 0);

console.log(`${sum('numPassedTests')} passed, ${sum('numFailedTests')} failed`);
// A run without tests, or with a file that could not be loaded, must not look like success.
if (reports.some(({ success, numPassedTests }) => !success || numPassedTests === 0)) process.exitCode = 1;
