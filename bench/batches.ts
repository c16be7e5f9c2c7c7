// What an item of a batch costs beside the same call made directly. `node --conditions=@tollgate/source bench/batches.ts`
import { rm, mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { GenerationCall, Provider } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { createGateway, microsFromCredits, sandboxProvider, silentLogger, sqliteStorage, type Gateway } from 'tollgate';

const batches = Number(process.env['BENCH_BATCHES'] ?? 100);
const itemsPerBatch = 100;
const items = batches * itemsPerBatch;
/** Direct calls under way at once: as many as the items of the batches that one project has worked on at once. */
const directAtOnce = 64;

const folder = path.resolve('node_modules/.cache/bench-batches');
const base = 'http://gateway.test/api/v1/ai';
const prompt = 'What does the ferry cost? [[sandbox: tokens in=1000 out=100]] [[sandbox: echo Nothing on Sundays.]]';
const request = { contents: [{ role: 'user', parts: [{ text: prompt }] }] };

interface Opened {
  readonly gateway: Gateway;
  readonly key: string;
  readonly close: () => Promise<void>;
}

const open = async (name: string, provider: Provider): Promise<Opened> => {
  const at = path.join(folder, name);
  await mkdir(at, { recursive: true });
  const gateway = await createGateway({
    storage: sqliteStorage({ path: path.join(at, 'tollgate.db') }),
    provider,
    logger: silentLogger,
    batches: { itemsAtOnce: 32, batchesAtOnce: 16, batchesPerProject: 16 },
  });
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name });
  await admin.deposit({ accountId, amountMicros: microsFromCredits(1_000_000), reference: 'bench' });
  const project = await admin.createProject({ accountId, name });
  const created = project === null ? null : await admin.createKey({ projectId: project.id, model: 'open-4-31b-it' });
  if (created === null) throw new Error('the key could not be made');
  gateway.jobs.start();
  return { gateway, key: created.key, close: () => gateway.close() };
};

const send = async ({ gateway, key }: Opened, url: string, body?: unknown): Promise<unknown> => {
  const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await gateway.fetch(new Request(`${base}${url}`, { ...init, headers }));
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${response.status}: ${text}`);
  return JSON.parse(text);
};

const statusOf = (record: unknown): string =>
  typeof record === 'object' && record !== null && 'status' in record ? String(record.status) : '';

const idOf = (record: unknown): string =>
  typeof record === 'object' && record !== null && 'id' in record ? String(record.id) : '';

interface Measure {
  readonly seconds: number;
  readonly cpuMicrosPerItem: number;
}

const measure = async (run: () => Promise<void>): Promise<Measure> => {
  const cpu = process.cpuUsage();
  const startedMs = performance.now();
  await run();
  const { user, system } = process.cpuUsage(cpu);
  return { seconds: (performance.now() - startedMs) / 1_000, cpuMicrosPerItem: (user + system) / items };
};

const inBatches = (opened: Opened): Promise<Measure> =>
  measure(async () => {
    const requests = Array.from({ length: itemsPerBatch }, (_, place) => ({ key: `k${place}`, request }));
    const ids: string[] = [];
    for (let count = 0; count < batches; count += 1) ids.push(idOf(await send(opened, '/batches', { requests })));
    for (const id of ids)
      while (statusOf(await send(opened, `/batches/${id}`)) !== 'completed')
        await new Promise((resolve) => setTimeout(resolve, 20));
  });

const directly = (opened: Opened): Promise<Measure> =>
  measure(async () => {
    let left = items;
    const client = async (): Promise<void> => {
      while (left > 0) {
        left -= 1;
        await send(opened, '/models/open-4-31b-it:generateContent', request);
      }
    };
    await Promise.all(Array.from({ length: directAtOnce }, client));
  });

const call: GenerationCall = {
  operationId: 'bench',
  upstreamModel: 'open-4-31b-it',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: prompt }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 1_000,
};

const sandboxAlone = (): Promise<Measure> =>
  measure(async () => {
    const sandbox = sandboxProvider();
    const context = { caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} };
    for (let count = 0; count < items; count += 1) await sandbox.generate(call, context);
  });

const withGateway = async (name: string, run: (opened: Opened) => Promise<Measure>): Promise<Measure> => {
  const opened = await open(name, sandboxProvider());
  try {
    const measured = await run(opened);
    const { violations } = await opened.gateway.admin.audit();
    if (violations.length > 0) throw new Error(`the books are wrong: ${JSON.stringify(violations[0])}`);
    return measured;
  } finally {
    await opened.close();
  }
};

const row = (name: string, { seconds, cpuMicrosPerItem }: Measure, alone: Measure): void => {
  const own = Math.max(0, cpuMicrosPerItem - alone.cpuMicrosPerItem);
  console.log(
    `${name.padEnd(28)} ${Math.round(items / seconds)
      .toString()
      .padStart(
        8,
      )} items/s ${cpuMicrosPerItem.toFixed(0).padStart(7)} µs CPU an item, of it ${own.toFixed(0)} the gateway's`,
  );
};

await rm(folder, { recursive: true, force: true });
try {
  // Functions are compiled after calls, not after seconds.
  await sandboxAlone();
  const alone = await sandboxAlone();
  const direct = await withGateway('direct', directly);
  const batched = await withGateway('batches', inBatches);
  console.log(`${batches} batches of ${itemsPerBatch} items, SQLite with synchronous FULL`);
  row('the sandbox alone', alone, alone);
  row('direct calls, 64 at once', direct, alone);
  row('items of batches', batched, alone);
} finally {
  await rm(folder, { recursive: true, force: true });
}
