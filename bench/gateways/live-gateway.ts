// Our gateway with sessions at an upstream that speaks the Gemini wire. Says the key on its first line.
// node bench/gateways/live-gateway.ts <port> <upstream port> <path of its database>
import { statSync } from 'node:fs';
import { createGateway, googleProvider, serve, silentLogger, sqliteStorage } from 'tollgate';

/** Some more than starts the thread. */
const logBytes = 1_200_000;

const [port, upstreamPort, databasePath = ''] = process.argv.slice(2);
const gateway = await createGateway({
  storage: sqliteStorage({ path: databasePath, synchronous: 'normal' }),
  provider: googleProvider({ apiKey: 'bench', baseUrl: `http://127.0.0.1:${upstreamPort}` }),
  logger: silentLogger,
});
const { id: accountId } = await gateway.admin.createAccount({ name: 'bench' });
await gateway.admin.deposit({ accountId, amountMicros: 1_000_000_000_000n, reference: 'bench' });
const project = await gateway.admin.createProject({ accountId, name: 'bench' });
const created = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5-native-audio-latest' });
// The log of the database becomes long enough that the thread which copies it is started, as in a service that runs: its 16 MiB are
// those of the process, and not of the sessions that come next.
while (statSync(`${databasePath}-wal`).size < logBytes)
  await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5-native-audio-latest' });
await serve(gateway, { port: Number(port), live: { unknownPerAddressMax: 4_096, unknownMax: 4_096 } });
console.log(JSON.stringify({ key: created?.key }));
