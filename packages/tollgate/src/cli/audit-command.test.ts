import type { Administration } from '@tollgate/engine';
import { expect, test } from 'vitest';
import { auditCommand } from './audit-command.ts';
import type { CommandInput } from './command.ts';

const runAudit = async (remainderPicos: number): Promise<readonly string[]> => {
  const lines: string[] = [];
  const report = { accounts: 1, operations: 2, entries: 3, remainderPicos, violations: [], busy: [] };
  // The command uses these alone.
  const admin = { audit: () => Promise.resolve(report) } as unknown as Administration;
  const input = { options: {}, world: { print: (text: string) => void lines.push(text) } } as unknown as CommandInput;
  expect(await auditCommand(admin, input)).toBe(0);
  return lines;
};

test('says what accounts carry below a micro-credit, where they carry anything', async () => {
  const counts = '1 accounts, 2 operations, 3 entries';
  expect(await runAudit(0)).toEqual([counts, 'clean']);
  expect(await runAudit(250_000)).toEqual([
    counts,
    '250000 pico-credits below whole micro-credits are carried',
    'clean',
  ]);
});
