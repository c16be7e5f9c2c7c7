// Our gateway with sessions at an upstream that speaks the Gemini wire. Says the key on its first line.
// node bench/gateways/live-gateway.ts <port> <upstream port>
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { createGateway, googleProvider, serve, silentLogger } from 'tollgate';

const [port = 0, upstreamPort] = process.argv.slice(2).map(Number);
const gateway = await createGateway({
  storage: memoryStorage({ disk: createMemoryDisk() }),
  provider: googleProvider({ apiKey: 'bench', baseUrl: `http://127.0.0.1:${upstreamPort}` }),
  logger: silentLogger,
});
const { id: accountId } = await gateway.admin.createAccount({ name: 'bench' });
await gateway.admin.deposit({ accountId, amountMicros: 1_000_000_000_000n, reference: 'bench' });
const project = await gateway.admin.createProject({ accountId, name: 'bench' });
const created = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5-native-audio-latest' });
await serve(gateway, { port, live: { unknownPerAddressMax: 4_096, unknownMax: 4_096 } });
console.log(JSON.stringify({ key: created?.key }));
