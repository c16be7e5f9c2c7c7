import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { createGateway, microsFromCredits, silentLogger, sqliteStorage } from '../packages/tollgate/src/index.ts';

const program = path.join(import.meta.dirname, '../docs/snippets/back-up.ts');
const run = promisify(execFile);

const open = (file: string) => createGateway({ storage: sqliteStorage({ path: file }), logger: silentLogger });

test('a backup that is taken under load opens, and its ledger is clean', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-backup-'));
  const file = path.join(folder, 'gateway.db');
  const gateway = await open(file);
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'backup' });
  await admin.deposit({ accountId: account.id, amountMicros: microsFromCredits(1_000), reference: '1' });
  const project = await admin.createProject({ accountId: account.id, name: 'backup' });
  const created = await admin.createKey({ projectId: project?.id ?? '' });
  const chat = async (): Promise<number> => {
    const response = await gateway.fetch(
      new Request('http://gateway.test/api/v1/ai/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${created?.key}`, 'content-type': 'application/json' },
        body: '{"messages":[{"role":"user","content":"Hello"}]}',
      }),
    );
    await response.text();
    return response.status;
  };
  const backedUp = new AbortController();
  const load = Array.from({ length: 8 }, async () => {
    const statuses: number[] = [];
    do statuses.push(await chat());
    while (!backedUp.signal.aborted);
    return statuses;
  });
  const copy = path.join(folder, 'copy.db');
  await run(process.execPath, [program, file, copy]);
  backedUp.abort();
  const statuses = (await Promise.all(load)).flat();
  expect(new Set(statuses)).toEqual(new Set([200]));
  await gateway.close();

  expect(statSync(copy).mode & 0o777).toBe(0o600);
  const restored = await open(copy);
  const report = await restored.admin.audit();
  expect(report).toMatchObject({ accounts: 1, violations: [], busy: [] });
  expect(report.operations).toBeLessThanOrEqual(statuses.length);
  expect(await restored.admin.readAccount(account.id)).toMatchObject({ name: 'backup' });
  await restored.close();
  rmSync(folder, { recursive: true, force: true });
});
