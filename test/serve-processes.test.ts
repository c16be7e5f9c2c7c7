import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, test } from 'vitest';
import * as z from 'zod';
import { createGateway, sqliteStorage, serveProcesses } from 'tollgate';

const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-serving-'));
const children = new Set<ReturnType<typeof spawn>>();
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

const Line = z.object({
  kind: z.enum(['primary', 'member', 'death']),
  member: z.number().optional(),
  origin: z.string().optional(),
  pid: z.number().optional(),
  signal: z.string().nullable().optional(),
  restartInMs: z.number().optional(),
});
type Line = z.infer<typeof Line>;

/** The program with its lines, each of which is waited for as it comes. */
const start = (database: string, processes: number) => {
  const program = path.join(import.meta.dirname, 'processes-program.ts');
  const args = ['--conditions=@tollgate/source', program, database, String(processes)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.add(child);
  const seen: Line[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    seen.push(Line.parse(JSON.parse(line)));
    for (const wake of waiting) wake();
  });
  /** The lines that fit, once there are so many. */
  const lines = (fits: (line: Line) => boolean, count: number): Promise<readonly Line[]> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = seen.filter(fits);
        if (found.length < count) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  return { child, lines, exited: once(child, 'exit') };
};

const isMember = ({ kind }: Line): boolean => kind === 'member';
const isPrimary = ({ kind }: Line): boolean => kind === 'primary';

/** A chat on a connection of its own, so that the processes take turns. */
const chat = (
  origin: string,
  key: string,
  identity: string,
): Promise<{ readonly status: number; readonly body: string }> =>
  new Promise((resolve, reject) => {
    const asked = request(
      `${origin}/api/v1/ai/chat/completions`,
      {
        method: 'POST',
        agent: new Agent(),
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': identity },
      },
      (response) => {
        let body = '';
        response.on('data', (chunk: Buffer) => (body += chunk.toString()));
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    asked.on('error', reject);
    asked.end(JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] }));
  });

const openFunded = async (database: string) => {
  const gateway = await createGateway({ storage: sqliteStorage({ path: database }) });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'A' });
  await admin.deposit({ accountId: account.id, amountMicros: 100_000_000n, reference: 'd' });
  const project = await admin.createProject({ accountId: account.id, name: 'P' });
  const key = await admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  return { gateway, key: key?.key ?? '' };
};

test('serves one port with several processes, starts again the one that died, and ends with all of them', async () => {
  const database = path.join(folder, 'all.db');
  const { gateway, key } = await openFunded(database);
  const { child, lines, exited } = start(database, 2);
  const [primary] = await lines(isPrimary, 1);
  const members = await lines(isMember, 2);
  expect(new Set(members.map(({ member }) => member))).toEqual(new Set([1, 2]));
  const origin = primary?.origin ?? '';
  const answers = await Promise.all(Array.from({ length: 20 }, (_, at) => chat(origin, key, `k${at}`)));
  expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));

  const first = members.find(({ member }) => member === 1);
  process.kill(first?.pid ?? 0, 'SIGKILL');
  const [death] = await lines(({ kind }) => kind === 'death', 1);
  expect(death).toEqual({ kind: 'death', member: 1, signal: 'SIGKILL', restartInMs: 10 });
  const again = await lines((line) => isMember(line) && line.member === 1, 2);
  expect(again[1]?.origin).toBe(origin);

  // Another process replays what the first one answered.
  const replayed = await Promise.all(Array.from({ length: 20 }, (_, at) => chat(origin, key, `k${at}`)));
  expect(replayed.map(({ body }) => body)).toEqual(answers.map(({ body }) => body));

  child.kill('SIGTERM');
  expect(await exited).toEqual([0, null]);
  expect(await gateway.admin.audit()).toMatchObject({ violations: [] });
  await gateway.close();
});

test('ends and rejects where its first start fails', async () => {
  const { exited } = start(path.join(import.meta.filename, 'a.db'), 2);
  expect((await exited)[0]).toBe(1);
});

const neverOpened = () => Promise.reject(new Error('opened'));

test('refuses what is no number of processes, and an option that it does not know', async () => {
  await expect(serveProcesses(neverOpened, { processes: 0 })).rejects.toThrow(/processes/u);
  await expect(serveProcesses(neverOpened, { processes: 2, port: 70_000 })).rejects.toThrow(/port/u);
});
