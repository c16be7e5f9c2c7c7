// Prints how many tests passed and failed, from the report that `npm test` leaves, as the last line of a CI run.
import { readFileSync } from 'node:fs';
import { z } from 'zod';

const reportPath = new URL('../coverage/test-report.json', import.meta.url);
const Report = z.object({ numPassedTests: z.int(), numFailedTests: z.int(), success: z.boolean() });

const { numPassedTests, numFailedTests, success } = Report.parse(JSON.parse(readFileSync(reportPath, 'utf8')));
console.log(`${numPassedTests} passed, ${numFailedTests} failed`);
// A run without tests, or with a file that could not be loaded, must not look like success.
if (!success || numPassedTests === 0) process.exitCode = 1;
