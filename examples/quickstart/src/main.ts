// The embedded gateway: SQLite in a local folder, and the offline sandbox, or a real upstream when OPENAI_BASE_URL is set.
import {
  closeOnSignal,
  createGateway,
  defaultCatalog,
  openaiProvider,
  sandboxProvider,
  serve,
  sqliteStorage,
} from 'tollgate';
import { openDemoAccount } from './open-demo-account.ts';

const folder = process.env['TOLLGATE_DATA'] ?? './tollgate-data';
const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey, OPENAI_MODEL: upstreamId, PORT: port = '8787' } = process.env;
/** How long a process that died is waited for. A short one lets a demonstration see the end of it soon. */
const leaseMs = Number(process.env['TOLLGATE_LEASE_MS'] ?? '30000');

const gateway = await createGateway({
  storage: sqliteStorage({ path: `${folder}/tollgate.db` }),
  provider:
    baseUrl === undefined
      ? sandboxProvider()
      : openaiProvider({ baseUrl, ...(apiKey === undefined ? {} : { apiKey }) }),
  catalog: upstreamId === undefined ? defaultCatalog : defaultCatalog.map((row) => ({ ...row, upstreamId })),
  compatibility: { openai: true, google: true, anthropic: true, ollama: true },
  limits: { leaseMs, renewMs: leaseMs / 3, sweepMs: leaseMs / 6 },
});

const { key, credits } = await openDemoAccount(gateway.admin, `${folder}/demo-key`);
const server = await serve(gateway, { port: Number(port) }).catch(async (error: unknown) => {
  await gateway.close();
  if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
  console.error(`Port ${port} is in use by another program: choose another one, as in PORT=8788 npm start.`);
  process.exit(1);
});
closeOnSignal(server, (code) => process.exit(code));

const base = `${server.origin}/api/v1/ai`;
console.log(`
Tollgate is listening (${baseUrl === undefined ? 'sandbox' : baseUrl}).

  base address  ${base}
  key           ${key}
  credits       ${credits}

Try it:

  curl ${base}/chat/completions -H 'Authorization: Bearer ${key}' -H 'Content-Type: application/json' -d '{"messages":[{"role":"user","content":"Hello"}]}'
`);
