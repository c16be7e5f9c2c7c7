// What one lone chat writes to the log of SQLite and leaves in the database, by tree: npm run bench:pages
import { readFileSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createGateway, sandboxProvider, sqliteStorage, type Gateway } from 'tollgate';
import { shortChat } from './bodies.ts';
import { freshFolder } from './session.ts';

const model = 'flash-2.5';
const warmUpChats = 1_000;
const chats = 200;
const depositMicros = 900_000_000_000_000n;
/** The log is kept whole, so that every page of it can be counted. */
const neverMs = 1_000_000_000;

/** A frame of the log: the number of its page, the size of the database if it ends a transaction, the rest of its head, the page. */
const headBytes = 24;
const pageBytes = 4_096;
const frameBytes = headBytes + pageBytes;

const createFundedKey = async ({ admin }: Gateway): Promise<string> => {
  const account = await admin.createAccount({ name: 'Bench' });
  await admin.deposit({ accountId: account.id, amountMicros: depositMicros, reference: 'bench' });
  const project = await admin.createProject({ accountId: account.id, name: 'Bench' });
  const created = project === null ? null : await admin.createKey({ projectId: project.id, model });
  if (created === null) throw new Error('no key could be made');
  return created.key;
};

const sendChats = async (gateway: Gateway, key: string, times: number): Promise<void> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = shortChat(model);
  for (let sent = 0; sent < times; sent += 1) {
    const request = new Request('http://bench/api/v1/ai/chat/completions', { method: 'POST', headers, body });
    const response = await gateway.fetch(request);
    if (response.status !== 200) throw new Error(`the gateway returned ${response.status}`);
    await response.text();
  }
};

/** The pages of the log from a place on. */
const pagesFrom = (log: Buffer, fromByte: number): readonly number[] => {
  const pages: number[] = [];
  for (let at = fromByte; at + frameBytes <= log.length; at += frameBytes) pages.push(log.readUInt32BE(at));
  return pages;
};

interface TreeRow {
  readonly tree: string;
  'pages written': number;
  'bytes kept': number;
}

const treesOf = (file: string, written: readonly number[]): readonly TreeRow[] => {
  const database = new DatabaseSync(file, { readOnly: true });
  const trees = new Map<string, TreeRow>();
  const treeOfPage = new Map<number, TreeRow>();
  for (const { pageno, name, pgsize } of database.prepare('SELECT pageno, name, pgsize FROM dbstat').iterate()) {
    const tree = String(name);
    const row = trees.get(tree) ?? { tree, 'pages written': 0, 'bytes kept': 0 };
    row['bytes kept'] += Number(pgsize) / (warmUpChats + chats);
    trees.set(tree, row);
    treeOfPage.set(Number(pageno), row);
  }
  database.close();
  for (const page of written) {
    const row = treeOfPage.get(page);
    if (row !== undefined) row['pages written'] += 1 / chats;
  }
  return [...trees.values()].filter((row) => row['pages written'] > 0);
};

const rounded = (rows: readonly TreeRow[]): readonly TreeRow[] =>
  rows
    .toSorted((a, b) => b['pages written'] - a['pages written'])
    .map((row) => ({
      tree: row.tree,
      'pages written': Number(row['pages written'].toFixed(2)),
      'bytes kept': Math.round(row['bytes kept']),
    }));

const folder = freshFolder();
const file = path.join(folder, 'pages.db');
const storage = sqliteStorage({ path: file, synchronous: 'normal', checkpointEveryMs: neverMs });
const gateway = await createGateway({ storage, provider: sandboxProvider(), contextSecret: 'x'.repeat(32) });
const key = await createFundedKey(gateway);
await sendChats(gateway, key, warmUpChats);
const fromByte = statSync(`${file}-wal`).size;
await sendChats(gateway, key, chats);
const written = pagesFrom(readFileSync(`${file}-wal`), fromByte);
console.log(`One lone chat writes ${(written.length / chats).toFixed(1)} pages to the log:`);
console.table(rounded(treesOf(file, written)));
await gateway.close();
rmSync(folder, { recursive: true, force: true });
