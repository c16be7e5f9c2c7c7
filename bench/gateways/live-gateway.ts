// Our gateway with sessions at an upstream that speaks the Gemini wire. Says the key on its first line.
// node bench/gateways/live-gateway.ts <port> <upstream port> <path of its database>
import { createGateway, googleProvider, serve, silentLogger, sqliteStorage } from 'tollgate';

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
await serve(gateway, { port: Number(port), live: { unknownPerAddressMax: 4_096, unknownMax: 4_096 } });
console.log(JSON.stringify({ key: created?.key }));
