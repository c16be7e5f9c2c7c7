// Runs cases of the published gateway suite in the runtime that runs this program, over SQLite, and prints what did not pass.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gatewayCases, runGatewayCase } from '@tollgate/testing/gateway';
import { sqliteStorage } from 'tollgate';
import { gatewayOver } from './gateway-suite.ts';

const [, , pattern = ''] = process.argv;
const titles = new RegExp(pattern, 'u');
const cases = gatewayCases.filter(({ title }) => titles.test(title));
const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-runtime-'));
let files = 0;
const open = gatewayOver((now) => {
  files += 1;
  const file = path.join(folder, `${files}.db`);
  return () => sqliteStorage({ path: file, now, synchronous: 'normal' });
});
const failed: string[] = [];
process.on('unhandledRejection', (cause) => failed.push(`a promise was rejected unseen: ${String(cause)}`));
for (const each of cases) {
  try {
    await runGatewayCase(open, each);
  } catch (cause) {
    failed.push(`${each.title}: ${String(cause)}`);
  }
}
rmSync(folder, { recursive: true });
for (const one of failed) console.error(one);
console.log(`${cases.length - failed.length} of ${cases.length} cases`);
process.exit(failed.length === 0 ? 0 : 1);
