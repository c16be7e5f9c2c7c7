import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { postgresStorage } from '@tollgate/storage-postgres';
import { Client } from 'pg';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '../postgres-server.ts';
import { killEachCell, type MortalCell } from './cells-under-load.ts';

/** A way to a server that can be cut in the middle of its work, as a host that dies, and be opened again. */
const openGate = async (url: string) => {
  const target = new URL(url);
  const sockets = new Set<Socket>();
  let messagesLeft = Infinity;
  let server: Server | null = null;
  const cut = (): void => {
    server?.close();
    server = null;
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  const pass = (near: Socket): void => {
    const far = connect(Number(target.port), target.hostname);
    near.on('data', (bytes: Buffer) => {
      far.write(bytes);
      messagesLeft -= 1;
    });
    far.on('data', (bytes: Buffer) => {
      // What the server made of the last message is not known to the client.
      if (messagesLeft <= 0) cut();
      else near.write(bytes);
    });
    for (const socket of [near, far]) {
      sockets.add(socket);
      for (const event of ['error', 'close'] as const)
        socket.on(event, () => {
          near.destroy();
          far.destroy();
        });
    }
  };
  const open = async (port: number): Promise<number> => {
    messagesLeft = Infinity;
    const listening = createServer(pass);
    listening.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    server = listening;
    const address = listening.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  };
  const port = await open(0);
  const through = new URL(url);
  through.port = String(port);
  return {
    url: through.href,
    cutAfter: (messages: number): void => {
      messagesLeft = messages;
    },
    isOpen: () => server !== null,
    openAgain: async (): Promise<void> => {
      if (server === null) await open(port);
      else messagesLeft = Infinity;
    },
    cut,
  };
};

const ends: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

/** A database of its own, behind a gate. */
const postgresCell = async (name: string, now: () => number): Promise<MortalCell> => {
  const database = await testDatabase();
  const gate = await openGate(database.url);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  ends.push(async () => {
    gate.cut();
    await client.end();
    await database.drop();
  });
  return {
    name,
    storage: () => postgresStorage({ connectionString: gate.url, now, retriesMax: 1 }),
    dieSoon: () => gate.cutAfter(9),
    isAlive: gate.isOpen,
    revive: gate.openAgain,
    hasAccount: async (accountId) =>
      (await client.query('SELECT 1 FROM tollgate.account WHERE id = $1', [accountId])).rowCount === 1,
  };
};

test('serves the accounts of the other databases while one is away, whichever it is, and loses nothing of its own', async () => {
  const audit = await killEachCell((now) => Promise.all(['a', 'b', 'c', 'd'].map((name) => postgresCell(name, now))));
  expect(audit).toMatchObject({ violations: [], busy: [] });
});
