// The programs of the pages in processes of their own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

const snippets = path.resolve(import.meta.dirname, '../../docs/snippets');

/** Starts a program in an empty folder. */
const started = (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-snippet-'));
  const child = spawn(process.execPath, ['--conditions=@tollgate/source', ...args], {
    cwd: folder,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, nextLine: async (): Promise<string> => String((await lines.next()).value) };
};

const endsOn = async (child: ReturnType<typeof started>['child'], signal: NodeJS.Signals): Promise<void> => {
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
};

const secret = { TOLLGATE_CONTEXT_SECRET: 's'.repeat(32), PORT: '0', TOLLGATE_DB: './gateway.db' };

test('the gateway of the deployment serves its probes and ends on a signal', async () => {
  const { child, nextLine } = started([path.join(snippets, 'deploy/src/gateway.ts')], secret);
  const base = (await nextLine()).replace('listening on ', '');
  expect((await fetch(`${base}/readyz`)).status).toBe(200);
  expect((await fetch(`${base}/api/v1/ai/models`)).status).toBe(401);
  await endsOn(child, 'SIGTERM');
});

test('the worker of the deployment works until a signal', async () => {
  const { child, nextLine } = started([path.join(snippets, 'deploy/src/worker.ts')], secret);
  expect(await nextLine()).toBe('working');
  await endsOn(child, 'SIGTERM');
});

const inline = (program: string): readonly string[] => ['--input-type=module', '--eval', program];

test('the sweeper of the page runs until a signal', async () => {
  const module = JSON.stringify(path.join(snippets, 'sweeper.ts'));
  const program = `
    const { startSweeper } = await import(${module});
    const gateway = await startSweeper('./gateway.db');
    console.log(JSON.stringify(await gateway.health()));
  `;
  const { child, nextLine } = started(inline(program));
  expect(JSON.parse(await nextLine())).toMatchObject({ isReady: true });
  await endsOn(child, 'SIGTERM');
});

test('what keeps its data in the folder runs one after another, and a wrong option ends the program with 78', async () => {
  const { child } = started([path.join(import.meta.dirname, 'folder-program.ts')]);
  const [printed, complained] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  expect(complained).toContain('overrrun is not known');
  expect(printed).toContain('runs start, which ends the process');
  expect(printed.match(/^ran \w+$/gmu)).toHaveLength(8);
  expect(printed).toMatch(/"route":"createChatCompletion"/u);
  expect(child.exitCode).toBe(78);
});

test('the same program serves in four processes', async () => {
  const { child, nextLine } = started([path.join(import.meta.dirname, 'processes-program.ts')]);
  const lines: string[] = [];
  while (lines.length < 5) lines.push(await nextLine());
  const served = lines.map((line) => JSON.parse(line) as { readonly kind: string; readonly origin?: string });
  expect(served.map(({ kind }) => kind).toSorted()).toEqual(['member', 'member', 'member', 'member', 'primary']);
  const origin = served.find(({ kind }) => kind === 'member')?.origin ?? '';
  const answer = await fetch(`${origin}/api/v1/ai/models`, { headers: { connection: 'close' } });
  expect([answer.status, await answer.text()]).toEqual([401, expect.stringContaining('The API key is missing')]);
  await endsOn(child, 'SIGTERM');
});
