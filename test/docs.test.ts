import { randomUUID } from 'node:crypto';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { memoryLimits, postgresLimits } from '@tollgate/limits';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { hostIdentities } from '../docs/snippets/host-identities.ts';
import { hostLedger } from '../docs/snippets/host-ledger.ts';
import { echoProvider, type EchoUpstream } from '../docs/snippets/echo-provider.ts';
import { catalog as embeddingCatalog, embedAll } from '../docs/snippets/embeddings.ts';
import {
  embedWithAiSdk,
  embedWithGenai,
  embedWithLangChain,
  openForGoogleClients,
} from '../docs/snippets/google-clients.ts';
import { askAbout, uploadFile } from '../docs/snippets/files.ts';
import { generateWithTools, streamText } from '../docs/snippets/generate.ts';
import { besideHono } from '../docs/snippets/mounting.ts';
import { askOnce, createClient } from '../docs/snippets/openai-client.ts';
import { converse, drawTwice, later } from '../docs/snippets/openai-responses.ts';
import {
  deciding,
  judgedSparingly,
  keepingBooks,
  moderatedBy,
  postingLowBalances,
  textsOf,
} from '../docs/snippets/hooks.ts';
import { answerAll, batchTariff } from '../docs/snippets/batches.ts';
import { askAboutCache, endCache, keepForADay, keepText } from '../docs/snippets/caches.ts';
import { checkBooks, reconcile, topUp } from '../docs/snippets/administration.ts';
import { createPageToken, createUserKey, ensureAccount } from '../docs/snippets/business.ts';
import { novemberOf, refund, usageFile } from '../docs/snippets/usage.ts';
import {
  migrate,
  openClusterGateway,
  openNotifications,
  sqliteWithS3,
  watchUncertain,
  whenEnded,
} from '../docs/snippets/postgres.ts';
import { usageByModel } from '../docs/snippets/account.ts';
import { createTrialKey, signUp } from '../docs/snippets/keys.ts';
import { catalog as ownCatalog, openWithModels, selectModel } from '../docs/snippets/models.ts';
import { changePlan, createLimitsSchema, limitCustomer, limited, oneByOne, shared } from '../docs/snippets/limits.ts';
import { tariff } from '../docs/snippets/options.ts';
import { interactWithFunctions, textOf } from '../docs/snippets/interactions.ts';
import { catalogSearch, orderTools } from '../docs/snippets/tool-runner.ts';
import { gatewayTools, walledPython, wikiSearch } from '../docs/snippets/tools.ts';
import { askStore, indexing, indexPdf } from '../docs/snippets/stores.ts';
import { createEnvironment, downloadFile, listFiles } from '../docs/snippets/environments.ts';
import { askForAccess, besideExpress, talk } from '../docs/snippets/live.ts';
import { downloadRest, makeVideo } from '../docs/snippets/videos.ts';
import { ask as callUpstream } from '../docs/snippets/wire-call.ts';
import { bounded, byTable, manyProviders, perModel } from '../docs/snippets/routing.ts';
import { createConnectionPool } from '../packages/provider-http/src/index.ts';
import { errorTable } from '../packages/contract/src/index.ts';
import { serve } from '../packages/node/src/index.ts';
import { verify } from '../packages/signature/src/index.ts';
import { postgresStorage } from '../packages/storage-postgres/src/index.ts';
import { sqliteStorage } from '../packages/storage-sqlite/src/index.ts';
import { usageUnits, type Attempt } from '../packages/provider/src/index.ts';
import { directiveTable } from '../packages/provider-sandbox/src/index.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import {
  createGateway,
  microsFromCredits,
  sandboxProvider,
  silentLogger,
  type Gateway,
  type GatewayOptions,
} from '../packages/tollgate/src/index.ts';
import { fakeClock, samplePdf, scriptedProvider } from '../packages/testing/src/fakes.ts';
import { runSql, testDatabase } from './postgres-server.ts';
import { startS3Server } from './s3-server.ts';

const docs = fileURLToPath(new URL('../docs/', import.meta.url));
const origin = 'http://gateway.test';

interface Opened {
  readonly gateway: Gateway;
  readonly accountId: string;
  readonly key: string;
}

const present = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('it should be there');
  return value;
};

/** The address of a server that listens on a free port. */
const startListening = async (server: Server): Promise<string> => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on a port has an address of this form.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const open = async (options: GatewayOptions, model = 'flash-3.8'): Promise<Opened> => {
  const gateway = await createGateway({
    storage: memoryStorage(),
    provider: sandboxProvider(),
    logger: silentLogger,
    tariff,
    ...options,
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'docs' });
  if (options.ledger === undefined) await topUp(admin, account.id, { id: '1', credits: '100' });
  const project = present(await admin.createProject({ accountId: account.id, name: 'docs' }));
  const { key } = present(await admin.createKey({ projectId: project.id, model }));
  return { gateway, accountId: account.id, key };
};

const chatRequest = (key: string, content: string, identity?: string): Request =>
  new Request(`${origin}/api/v1/ai/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(identity === undefined ? {} : { 'idempotency-key': identity }),
    },
    body: JSON.stringify({ messages: [{ role: 'user', content }] }),
  });

interface ChatBody {
  readonly choices: readonly { readonly message: { readonly content: string } }[];
  readonly service: { readonly credits: number };
  readonly error: { readonly code: string; readonly request_id: string };
}

const bodyOf = async (response: Response): Promise<ChatBody> => JSON.parse(await response.text()) as ChatBody;

/** Runs a program of the documentation in an empty folder, gives its lines to a test, and expects it to end on a signal. */
const running = async (
  snippet: string,
  use: (nextLine: () => Promise<string>, folder: string) => Promise<void>,
): Promise<void> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-docs-'));
  const child = spawn(process.execPath, ['--conditions=@tollgate/source', path.join(docs, 'snippets', snippet)], {
    cwd: folder,
    env: { PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    await use(async () => present((await lines.next()).value), folder);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
};

test('the program of "Get started" serves, charges once under one identity, and ends on a signal', () =>
  running('get-started.ts', async (nextLine, folder) => {
    const base = (await nextLine()).replace('base ', '');
    const key = (await nextLine()).replace('key  ', '');
    const call = { ...(await toCall(chatRequest(key, 'Hello', 'order-4711'))) };
    const first = await fetch(`${base}/chat/completions`, call);
    const text = await first.text();
    expect([first.status, first.headers.get('idempotency-replayed')]).toEqual([200, 'false']);
    const again = await fetch(`${base}/chat/completions`, call);
    expect([await again.text(), again.headers.get('idempotency-replayed')]).toEqual([text, 'true']);
    expect(await readdir(folder)).toEqual(['tollgate-data']);
  }));

test('the program of the first page serves, on the wires of three clients', () =>
  running('smallest.ts', async (nextLine) => {
    const base = (await nextLine()).replace('OPENAI_BASE_URL=', '');
    const paths = ['/responses', '/messages', '/models/flash-3.8:generateContent'];
    // Each wire is there and asks for a key.
    const statuses = paths.map(async (wire) => (await fetch(base + wire, { method: 'POST', body: '{}' })).status);
    expect(await Promise.all(statuses)).toEqual([401, 401, 401]);
  }));

const toCall = async (request: Request): Promise<RequestInit> => ({
  method: request.method,
  headers: Object.fromEntries(request.headers),
  body: await request.text(),
});

test('the models of the documentation are sold, the first of them to calls that name none', async () => {
  const gateway = await openWithModels({ storage: memoryStorage(), logger: silentLogger });
  const { id: accountId } = await gateway.admin.createAccount({ name: 'models' });
  const project = present(await gateway.admin.createProject({ accountId, name: 'models' }));
  const { key } = present(await gateway.admin.createKey({ projectId: project.id }));
  const headers = { authorization: `Bearer ${key}` };
  const response = await gateway.fetch(new Request(`${origin}/api/v1/ai/models`, { headers }));
  expect(await response.json()).toMatchObject({ data: [{ id: 'small' }, { id: 'large' }] });
  const chosen = (['chat', 'generate'] as const).map(
    (route) => selectModel(ownCatalog, { keyId: '', projectId: '', accountId: '', request: { route } })?.id,
  );
  expect(chosen).toEqual(['small', 'large']);
  await gateway.close();
});

test('the provider of the documentation answers, fails for certain, and loses an outcome', async () => {
  const answers: Parameters<EchoUpstream>[0][] = [];
  const upstream: EchoUpstream = async (prompt) => {
    answers.push(prompt);
    if (prompt === 'lost') throw new Error('connection lost');
    return { status: prompt === 'busy' ? 503 : 200, answer: { text: prompt, tokensIn: 1_000, tokensOut: 2_000 } };
  };
  const { gateway, accountId, key } = await open({ provider: echoProvider(upstream) });
  const answered = await bodyOf(await gateway.fetch(chatRequest(key, 'hello')));
  // 1,000 at 0.30 and 2,000 at 2.50 for a million.
  expect([answered.choices[0]?.message.content, answered.service.credits]).toEqual(['hello', 0.0053]);
  expect((await gateway.fetch(chatRequest(key, 'busy'))).status).toBe(503);
  // What it has no place for is refused, and not dropped.
  const schema = { responseMimeType: 'application/json' };
  const asked = { contents: [{ role: 'user', parts: [{ text: 'hello' }] }], generationConfig: schema };
  const refused = await gateway.fetch(
    new Request(`${origin}/api/v1/ai/models/flash-3.8:generateContent`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(asked),
    }),
  );
  expect([refused.status, answers.length]).toEqual([422, 2]);
  expect((await gateway.fetch(chatRequest(key, 'lost'))).status).toBe(502);
  const operations = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operations.map(({ state }) => state)).toEqual(['uncertain', 'failed', 'failed', 'completed']);
  await reconcile(gateway.admin, async () => '0.25');
  const wallet = present(await gateway.admin.readWallet(accountId));
  expect([wallet.balanceMicros, wallet.reservedMicros]).toEqual([microsFromCredits('99.7447'), 0n]);
  await checkBooks(gateway.admin);
  await gateway.close();
});

test('the usage of the documentation is by day and model, and its file has a line for each', async () => {
  const nowMs = Date.parse('2026-11-05T23:30:00Z');
  const { gateway, key, accountId } = await open({ storage: memoryStorage({ now: () => nowMs }) });
  await gateway.fetch(chatRequest(key, 'Hello'));
  const rows = await novemberOf(gateway.admin, accountId);
  expect(rows).toMatchObject([{ day: '2026-11-06', requests: 1 }]);
  expect(rows[0]?.credits).toBeGreaterThan(0);
  expect(rows[0]?.inputTokens).toBeGreaterThan(0);
  const file = await usageFile(gateway.admin, Date.parse('2026-11-01'), Date.parse('2026-12-01'));
  expect((await file.text()).split('\r\n')[1]).toMatch(
    new RegExp(`^2026-11-05T00:00:00.000Z,2026-11-06.*,${accountId},`),
  );
  await gateway.close();
});

test('the refund of the documentation gives a charge back once, and to the account that paid it alone', async () => {
  const { gateway, key, accountId } = await open({});
  const { admin } = gateway;
  const before = await admin.readWallet(accountId);
  const requestId = present((await gateway.fetch(chatRequest(key, 'Hello'))).headers.get('x-request-id'));
  const charged = present(await admin.readWallet(accountId)).balanceMicros;
  expect(charged).toBeLessThan(present(before).balanceMicros);
  const other = await admin.createAccount({ name: 'other' });
  expect(await refund(admin, other.id, requestId)).toEqual({ kind: 'operation_of_another_account' });
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: charged });
  const refunds = [await refund(admin, accountId, requestId), await refund(admin, accountId, requestId)];
  expect(refunds.map(({ kind }) => kind)).toEqual(['done', 'repeated']);
  expect(await admin.readWallet(accountId)).toMatchObject({ balanceMicros: before?.balanceMicros });
  expect(await admin.readWallet(other.id)).toMatchObject({ balanceMicros: 0n });
  await gateway.fetch(chatRequest(key, '[[sandbox: unknown]]'));
  const [uncertain] = await admin.listOperations({ kind: 'state', state: 'uncertain' });
  expect(await refund(admin, accountId, present(uncertain).id)).toEqual({ kind: 'not_charged' });
  await gateway.close();
});

test('a chat without an output limit reserves what the page on a business says', async () => {
  const page = await readFile(path.join(docs, 'business.md'), 'utf8');
  const { gateway, key, accountId } = await open({ tariff: undefined });
  await gateway.fetch(chatRequest(key, '[[sandbox: unknown]] Hello'));
  const { reservedMicros } = present(await gateway.admin.readWallet(accountId));
  expect(page).toContain(`reserves ${(Number(reservedMicros) / 1_000_000).toFixed(3)} credits`);
  await gateway.close();
});

test('the upstream request of the documentation tells an answer, a refusal, an unknown outcome and a call that was not sent', async () => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      const status = Number(request.url?.slice(1));
      response.writeHead(status).end(`answer ${status}`);
    });
  });
  const url = await startListening(server);
  const dispatcher = await createConnectionPool(url);
  const attempts: Pick<Attempt, 'status' | 'outcome'>[] = [];
  const recordAttempt = ({ status, outcome }: Attempt): void => void attempts.push({ status, outcome });
  const askFor = (status: number): Promise<string> => {
    const request = { origin: url, path: `/${status}`, method: 'POST', headers: {} } as const;
    const upstream = { dispatcher, request, limits: { timeoutMs: 600_000, responseBytesMax: 100 } };
    return callUpstream(upstream, {}, { caller: sampleCaller, signal: AbortSignal.timeout(5_000), recordAttempt });
  };
  expect(await askFor(200)).toBe('answer 200');
  await expect(askFor(429)).rejects.toMatchObject({ code: 'not_executed', reason: 'rate_limited' });
  await expect(askFor(504)).rejects.toMatchObject({ code: 'unknown_outcome', detail: 'status_504' });
  await dispatcher.destroy();
  await expect(askFor(200)).rejects.toMatchObject({ code: 'not_executed', reason: 'unavailable' });
  server.close();
  expect(attempts).toEqual([
    { status: 200, outcome: 'answered' },
    { status: 429, outcome: 'refused' },
    { status: 504, outcome: 'unknown' },
    { status: null, outcome: 'not_sent' },
  ]);
});

test('the routing of the documentation asks one after another, and writes down whom', async () => {
  const dead = { otherwise: { kind: 'not_executed', reason: 'unavailable', sent: false } } as const;
  const vendor = scriptedProvider({ name: 'vendor' });
  const west = scriptedProvider({ name: 'west', ...dead });
  const east = scriptedProvider({ name: 'east', ...dead });
  const reserve = scriptedProvider({ name: 'reserve' });
  const provider = perModel(bounded(manyProviders(vendor, west, east, reserve)));
  const { gateway, accountId, key } = await open({ provider });
  expect((await gateway.fetch(chatRequest(key, 'hello'))).status).toBe(200);
  const [operation] = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operation?.attempts.map((attempt) => attempt.provider)).toEqual(['west', 'reserve']);
  expect(byTable(vendor, reserve)).toHaveProperty('embed');
  await gateway.close();
});

test('the content of the documentation is generated with tools, and streamed to its credits', async () => {
  const { gateway, key } = await open({});
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const asked: string[] = [];
  const text = await generateWithTools(target, '[[sandbox: tool get_weather {"city":"Lisbon"}]]', (name, args) => {
    asked.push(`${name} ${JSON.stringify(args)}`);
    return { weather: 'rain' };
  });
  expect(asked).toEqual(['get_weather {"city":"Lisbon"}']);
  expect(text).toContain('rain');
  const pieces: string[] = [];
  const question = '[[sandbox: echo Good day.]] [[sandbox: tokens in=1000 out=2000]]';
  expect(await streamText(target, question, (piece) => void pieces.push(piece))).toBe(0.0053);
  expect(pieces.join('')).toBe('Good day.');
  await expect(streamText(target, '[[sandbox: fail]]', () => {})).rejects.toThrow('502');
  await gateway.close();
});

test('the file of the documentation is uploaded and asked about', async () => {
  const { gateway, key } = await open({});
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const file = await uploadFile(target, 'minutes.txt', Buffer.from('The ferry leaves at nine.'));
  expect(await askAbout(target, file, '[[sandbox: echo At nine.]]')).toBe('At nine.');
  await gateway.close();
});

test('the PDF of the documentation is indexed, and asked with a citation', async () => {
  const perMillion = { input_text_tokens: '1', output_text_tokens: '4', retrieval_queries: '2500' };
  const prices = { version: 'stores-1', models: { '*': { perMillion } } };
  const { gateway, key } = await open({ tariff: prices, indexing });
  gateway.jobs.start();
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const pdf = samplePdf(['Cranes lift boxes.', 'The harbour opens at six.']);
  const store = await indexPdf(target, 'harbour.pdf', pdf);
  const question = '[[sandbox: tool file_search {"query":"when does the harbour open"}]]';
  const { text, citations } = await askStore(target, store, question);
  expect(text).not.toBe('');
  expect(citations[0]).toMatchObject({ type: 'file_citation', file_name: 'harbour.pdf', page_number: 2 });
  await gateway.close({ drainMs: 0 });
});

test('the video of the documentation is made once, and downloaded in two parts', async () => {
  const prices = { version: 'videos-1', models: { '*': { perMillion: { video_seconds: '100000' } } } };
  const { gateway, accountId } = await open({ tariff: prices });
  const [project] = await gateway.admin.listProjects(accountId);
  const { key } = present(
    await gateway.admin.createKey({ projectId: present(project).id, model: 'video-3.1-generate-preview' }),
  );
  gateway.jobs.start();
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const video = await makeVideo(target, 'video-1', 'A ferry leaves at nine.');
  expect((await makeVideo(target, 'video-1', 'A ferry leaves at nine.')).id).toBe(video.id);
  const whole = await downloadRest(target, video, 0);
  const rest = await downloadRest(target, video, 1_000);
  expect(Buffer.from(whole).subarray(1_000).equals(Buffer.from(rest))).toBe(true);
  await gateway.close();
});

test('the session of the documentation is opened by a back end and talks from a page', async () => {
  const { gateway, accountId } = await open({});
  const project = present(await gateway.admin.createProject({ accountId, name: 'sessions' }));
  const model = 'flash-2.5-native-audio-latest';
  const { key } = present(await gateway.admin.createKey({ projectId: project.id, model }));
  const server = besideExpress(gateway, (_request, response) => response.end('the application'));
  const served = await startListening(server);
  expect(await (await fetch(served)).text()).toBe('the application');
  const access = await askForAccess(served, key);
  expect(await talk(access, '[[sandbox: echo The ferry leaves at nine.]]')).toBe('The ferry leaves at nine.');
  await expect.poll(async () => (await gateway.admin.readOperation(access.id))?.state).toBe('completed');
  await gateway.close();
  server.closeAllConnections();
  server.close();
});

test('the interaction of the documentation calls a function and goes on from its result', async () => {
  const { gateway, key } = await open({});
  gateway.jobs.start();
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const called: unknown[] = [];
  const interaction = await interactWithFunctions(target, '[[sandbox: tool ferry_time {"day":"Monday"}]]', {
    ferry_time: (args) => {
      called.push(args);
      return '09:00';
    },
  });
  expect(called).toEqual([{ day: 'Monday' }]);
  expect(textOf(interaction)).toContain('09:00');
  await gateway.close();
});

test('the tools of the documentation are run by the gateway', async () => {
  const perMillion = {
    input_text_tokens: '1',
    output_text_tokens: '4',
    web_search_queries: '10000',
    host_tool_calls: '10000',
  };
  const { gateway, key } = await open({
    tariff: { version: 'tools-1', models: { '*': { perMillion } } },
    tools: {
      web_search: catalogSearch(new Map([['ferry', 'The ferry costs 12 euros.']])),
      ...orderTools({ find: async (_customer, id) => (id === 'A1' ? { status: 'sent' } : null) }),
    },
  });
  const ask = async (route: string, body?: unknown): Promise<string> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const request = new Request(`${origin}/api/v1/ai${route}`, init);
    request.headers.set('content-type', 'application/json');
    request.headers.set('authorization', `Bearer ${key}`);
    return (await gateway.fetch(request)).text();
  };
  const recordOf = async (input: string, tool: object): Promise<string> => {
    const created: unknown = JSON.parse(await ask('/interactions', { input, tools: [tool] }));
    await gateway.jobs.runDue();
    const id = typeof created === 'object' && created !== null && 'id' in created ? String(created.id) : '';
    return ask(`/interactions/${id}`);
  };
  const record = await recordOf('[[sandbox: tool web_search {"query":"ferry"}]]', { type: 'web_search' });
  expect(record).toContain('"web_search_call"');
  expect(record).toContain('The ferry costs 12 euros.');
  expect(record).toContain('"url_citation"');
  const order = await recordOf('[[sandbox: tool lookup_order {"id":"A1"}]]', {
    type: 'host_tool',
    name: 'lookup_order',
  });
  expect(order).toContain('"result":{"status":"sent"}');
  await gateway.close();
});

const toolTariff = {
  version: 'tools-2',
  models: {
    '*': {
      perMillion: {
        input_text_tokens: '1',
        output_text_tokens: '4',
        code_execution_runs: '5000',
        web_search_queries: '10000',
      },
    },
  },
};

const idOf = (record: string): string => present(/"id":"([^"]+)"/u.exec(record)?.[1]);

/** Opens an interaction with these tools, lets it run, and returns its record. */
const runTools = async (tools: GatewayOptions['tools'], input: string, kinds: readonly string[]): Promise<string> => {
  const { gateway, key } = await open({ tariff: toolTariff, ...(tools !== undefined && { tools }) });
  const send = async (route: string, body?: object): Promise<string> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    return (await gateway.fetch(new Request(`${origin}/api/v1/ai${route}`, { ...init, headers }))).text();
  };
  // With an environment the gateway runs the programs, whatever the provider could.
  const environmentId = idOf(await send('/environments', {}));
  await gateway.jobs.runDue();
  const asked = { input, tools: kinds.map((type) => ({ type })), environment_id: environmentId };
  const id = idOf(await send('/interactions', asked));
  await gateway.jobs.runDue();
  const record = await send(`/interactions/${id}`);
  await gateway.close();
  return record;
};

test('the tools of the documentation run in an interaction', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-docs-tools-'));
  const wiki = { find: (text: string) => Promise.resolve([{ name: `About ${text}`, path: '/ferries' }]) };
  const tools = { ...gatewayTools({ search: 'a', places: 'b' }, folder), ...wikiSearch(wiki) };
  const input = `[[sandbox: tool search_web {"queries":["ferries"]}]] [[sandbox: tool execute_python {"code":"print(6 * 7)"}]]`;
  const record = await runTools(tools, input, ['web_search', 'code_execution']);
  expect(record).toContain('"title":"About ferries","url":"https://wiki.example/ferries"');
  expect(record).toContain('"result":"42\\n"');
  expect(record).toContain('"status":"completed"');
  await rm(folder, { recursive: true });
});

const mayUnshare = spawnSync('/usr/bin/unshare', ['--user', '--map-root-user', '--net', 'true']).status === 0;

test.runIf(mayUnshare)('the walled Python of the documentation runs in an interaction', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-docs-walls-'));
  const input = `[[sandbox: tool execute_python {"code":"print(6 * 7)"}]]`;
  expect(await runTools(walledPython(folder), input, ['code_execution'])).toContain('"result":"42\\n"');
  await rm(folder, { recursive: true });
});

test('the batch of the documentation responds to every prompt, at its own prices', async () => {
  const { gateway, key } = await open({ tariff: batchTariff });
  gateway.jobs.start();
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const prompts = new Map([
    ['one', '[[sandbox: tokens in=1000 out=1000]] [[sandbox: echo first]]'],
    ['two', '[[sandbox: fail]]'],
  ]);
  const results = await answerAll(target, 'batch-1', prompts);
  expect(results.get('one')).toMatchObject({ status: 'completed', credits: 0.0035 });
  expect(results.get('one')?.response?.candidates[0]?.content.parts[0]?.text).toBe('first');
  expect(results.get('two')).toMatchObject({ status: 'failed', error: { code: 'request_failed' } });
  expect([...(await answerAll(target, 'batch-1', prompts)).keys()]).toEqual(['one', 'two']);
  await gateway.close();
});

test('the cache of the documentation is kept, read, kept longer and ended', async () => {
  const perMillion = { input_text_tokens: '1', output_text_tokens: '8', cache_token_seconds: '0.0003' };
  const { gateway, key } = await open({ tariff: { version: 'caches', models: { '*': { perMillion } } } });
  gateway.jobs.start();
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const cache = await keepText(target, 'The ferry leaves at nine. '.repeat(100));
  expect(cache.result?.total_tokens).toBeGreaterThan(500);
  const answer = await askAboutCache(target, 'flash-3.8', cache, 'When does it leave?');
  expect(answer.candidates[0]?.content.parts[0]?.text).toContain('2 turns');
  expect((await keepForADay(target, cache)).result?.expires_at).not.toBe(cache.result?.expires_at);
  expect(await endCache(target, cache)).toMatchObject({ status: 'deleted' });
  await gateway.close();
});

test('the ledger of the documentation is debited what was measured, and keeps its hold uncertain', async () => {
  const balances = new Map<string, bigint>();
  const { gateway, accountId, key } = await open({ ledger: hostLedger(balances) });
  expect((await gateway.fetch(chatRequest(key, 'hello'))).status).toBe(402);
  balances.set(accountId, microsFromCredits(1));
  const first = await bodyOf(await gateway.fetch(chatRequest(key, '[[sandbox: tokens in=1000 out=2000]]')));
  expect([first.service.credits, balances.get(accountId)]).toEqual([0.0053, 994_700n]);
  expect((await gateway.fetch(chatRequest(key, '[[sandbox: fail]]'))).status).toBe(502);
  expect(balances.get(accountId)).toBe(994_700n);
  await gateway.close();
});

test('each command of that ledger can be repeated, and a late reserve finds the end', async () => {
  const ledger = hostLedger(new Map([['a', 100n]]));
  const named = { operationId: 'o', accountId: 'a' };
  const amount = { ...named, amountMicros: 60n };
  expect([await ledger.reserve(amount), await ledger.reserve(amount)]).toEqual(['reserved', 'reserved']);
  expect(await ledger.reserve({ operationId: 'p', accountId: 'a', amountMicros: 60n })).toBe('insufficient');
  expect([await ledger.settle(amount), await ledger.settle(amount)]).toEqual(['settled', 'settled']);
  expect(await ledger.release(named)).toBe('ended');
  expect(await ledger.release({ operationId: 'q', accountId: 'a' })).toBe('released');
  expect(await ledger.reserve({ operationId: 'q', accountId: 'a', amountMicros: 1n })).toBe('ended');
});

test('the identities of the documentation replay, and refuse another body', async () => {
  const { gateway, key } = await open({ identities: hostIdentities() });
  const first = await (await gateway.fetch(chatRequest(key, 'hello', 'one'))).text();
  const again = await gateway.fetch(chatRequest(key, 'hello', 'one'));
  expect([again.headers.get('idempotency-replayed'), await again.text()]).toEqual(['true', first]);
  const other = await gateway.fetch(chatRequest(key, 'goodbye', 'one'));
  expect([other.status, (await bodyOf(other)).error.code]).toEqual([409, 'ai_idempotency_conflict']);
  await gateway.close();
});

test('a trial key of the documentation ends, and calls its model; a sign-up that is sent twice makes one key', async () => {
  const { gateway } = await open({});
  const user = { id: randomUUID(), name: 'Ada' };
  const [first, second] = [await signUp(gateway.admin, user), await signUp(gateway.admin, user)];
  expect([second?.id, typeof first?.key, second?.key]).toEqual([first?.id, 'string', null]);
  const trial = await createTrialKey(gateway.admin, user.id, Date.now());
  expect(trial).toMatchObject({ limits: { requestsPerMinute: 60 }, metadata: { plan: 'trial' } });
  const shown = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/models', { headers: { authorization: `Bearer ${trial?.key}` } }),
  );
  expect(await shown.json()).toMatchObject({ data: [{ id: 'flash-2.5' }] });
  await gateway.close();
});

test('a customer of the documentation reads what each model cost it', async () => {
  const { gateway, key } = await open({});
  expect((await gateway.fetch(chatRequest(key, 'Hello'))).status).toBe(200);
  const send: typeof fetch = (address, init) => gateway.fetch(new Request(address, init));
  const rows: unknown[] = [];
  for await (const row of usageByModel({ baseUrl: 'http://gateway.test/api/v1/ai', key, send })) rows.push(row);
  expect(rows).toMatchObject([{ requests: 1, charged_credits: expect.stringMatching(/^0\.\d{6}$/) }]);
  await gateway.close();
});

test('the limits of the documentation stand in headers', async () => {
  const { gateway, key } = await open(limited);
  const answer = await gateway.fetch(chatRequest(key, 'hello'));
  expect(answer.status).toBe(200);
  expect(answer.headers.get('x-ratelimit-limit-requests')).toBe('600');
  expect(answer.headers.get('x-ratelimit-remaining-requests')).toBe('599');
  expect(answer.headers.get('x-ratelimit-limit-tokens')).toBe('2000000');
  await gateway.close();
});

test('the shared limits of the documentation are made in a database, and told alike', async () => {
  const database = await testDatabase();
  const { gateway, key } = await open(await shared(database.url));
  const answers = await Promise.all(['a', 'b'].map((text) => gateway.fetch(chatRequest(key, text))));
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(answers[0]?.headers.get('x-ratelimit-limit-requests')).toBe('600');
  await gateway.close();
  await database.drop();
});

test('the limits of records in the documentation hold for a customer and its project', async () => {
  const { gateway, key } = await open({ limiter: memoryLimits() });
  const [account] = await gateway.admin.listAccounts();
  const [project] = await gateway.admin.listProjects(account?.id ?? '');
  await limitCustomer(gateway, account?.id ?? '', project?.id ?? '');
  const answers = await Promise.all(
    ['a', 'b', 'c', 'd', 'e', 'f', 'g'].map((text) => gateway.fetch(chatRequest(key, text))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(5);
  const refused = answers.find(({ status }) => status === 429);
  expect(await refused?.text()).toContain('The project has reached its limit of 5 requests at once');
  await gateway.close();
});

test('the plan of the documentation brings its limits', async () => {
  const { gateway, key, accountId } = await open({ limiter: memoryLimits() });
  const accepted = async () => {
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => gateway.fetch(chatRequest(key, text))));
    return answers.filter(({ status }) => status === 200).length;
  };
  await changePlan(gateway, accountId, 'free');
  expect(await accepted()).toBe(2);
  await changePlan(gateway, accountId, 'pro');
  expect(await accepted()).toBe(4);
  await gateway.close();
});

test('the limiter of the documentation admits one request of an account at a time', async () => {
  const { gateway, key } = await open({ limiter: oneByOne() });
  const answers = await Promise.all(['a', 'b', 'c'].map((text) => gateway.fetch(chatRequest(key, text))));
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 429, 429]);
  expect((await gateway.fetch(chatRequest(key, 'd'))).status).toBe(200);
  await gateway.close();
});

test('Hono serves its own routes and the gateway', async () => {
  const { gateway, key } = await open({});
  const app = besideHono(gateway);
  expect(await (await app.request('/health')).json()).toEqual({ status: 'ok' });
  expect((await app.request(chatRequest(key, 'hello'))).status).toBe(200);
  await gateway.close();
});

test('both ways of the documentation make the openai package send an identity', async () => {
  const { gateway, accountId, key } = await open({ compatibility: { openai: true } });
  const server = await serve(gateway, { port: 0 });
  const client = createClient(`${server.origin}/api/v1/ai`, key);
  await askOnce(client, 'with a header');
  await client.chat.completions.create({ model: 'flash-3.8', messages: [{ role: 'user', content: 'without' }] });
  const [second, first] = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(first?.identity).toMatch(/^[0-9a-f-]{36}$/);
  expect(second?.identity).toMatch(/^stainless-node-retry-/);
  await server.close();
});

test('responses go on from one another, and wait for their client in the background', async () => {
  const { gateway, key } = await open({ compatibility: { openai: true } });
  const server = await serve(gateway, { port: 0 });
  const baseURL = `${server.origin}/api/v1/ai`;
  expect(await converse(baseURL, key)).not.toBe('');
  expect(await later(baseURL, key)).not.toBe('');
  await server.close();
});

test('an image of a response is changed by the next one', async () => {
  const { gateway, key } = await open({ compatibility: { openai: true } }, 'flash-3.1-image');
  const server = await serve(gateway, { port: 0 });
  const images = await drawTwice(`${server.origin}/api/v1/ai`, key);
  expect(images.map((image) => Buffer.from(image, 'base64').toString('latin1', 1, 4))).toEqual(['PNG', 'PNG']);
  await server.close();
});

const bucketOf = ({ port, ...credentials }: Awaited<ReturnType<typeof startS3Server>>) => ({
  endpoint: `http://127.0.0.1:${port}`,
  bucket: credentials.bucket,
  accessKeyId: credentials.accessKeyId,
  secretAccessKey: credentials.secretAccessKey,
});

const openCustomer = async ({ admin }: Gateway): Promise<string> => {
  const account = await admin.createAccount({ name: 'docs' });
  await topUp(admin, account.id, { id: '1', credits: '100' });
  const project = present(await admin.createProject({ accountId: account.id, name: 'docs' }));
  return present(await admin.createKey({ projectId: project.id, model: 'flash-3.8' })).key;
};

/** More than an answer's row holds. */
const large = `[[sandbox: echo ${'x'.repeat(70_000)}]]`;

test('the gateway of the documentation keeps all in PostgreSQL, large responses with S3, and shows what to watch', async () => {
  const database = await testDatabase();
  const s3 = await startS3Server();
  expect([await migrate(database.url), await migrate(database.url)]).toEqual([
    expect.stringMatching(/^migrated to version \d+$/),
    'up to date',
  ]);
  const gateways = [
    await openClusterGateway(database.url, bucketOf(s3)),
    await openClusterGateway(database.url, bucketOf(s3)),
  ] as const;
  const [first, second] = gateways;
  const key = await openCustomer(first);
  const notifications = await openNotifications(database.url);
  const slow = `[[sandbox: slow 500]] ${large}`;
  const calls = gateways.map(async (gateway) => gateway.fetch(chatRequest(key, slow, 'large')));
  const told = await Promise.race(calls);
  expect(told.status).toBe(409);
  const { request_id: id } = (await bodyOf(told)).error;
  expect((await whenEnded(second.admin, notifications, id))?.state).toBe('completed');
  const answered = present((await Promise.all(calls)).find(({ status }) => status === 200));
  const again = await second.fetch(chatRequest(key, slow, 'large'));
  expect([again.status, await again.text()]).toEqual([200, await answered.text()]);
  expect(await runSql(database.url, 'SELECT count(*)::int AS blobs FROM tollgate.blob')).toEqual([{ blobs: 0 }]);
  expect((await first.fetch(chatRequest(key, '[[sandbox: unknown]]'))).status).toBe(502);
  const { operations, holdMicros } = await watchUncertain(second.admin);
  expect([operations, holdMicros > 0n]).toEqual([1, true]);
  const [watched] = await runSql(database.url, await readFile(path.join(docs, 'snippets/watch.sql'), 'utf8'));
  expect(watched).toMatchObject({
    uncertain: '1',
    uncertain_hold_micros: String(holdMicros),
    oldest_running_ms: '0',
    anomalies_of_a_day: '0',
    beyond_hold_of_a_day: '0',
  });
  await notifications.close();
  await Promise.all(gateways.map((gateway) => gateway.close()));
  await s3.stop();
  await database.drop();
});

/** The names of the columns of a statement that has one on each line. */
const columnsOf = (sql: string) => [...sql.matchAll(/ AS ([a-z_]+),?$/gmu)].map(([, name]) => name);

test('what to watch is read from a file of SQLite while the gateway writes it, in the columns of PostgreSQL', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-watch-'));
  const file = path.join(folder, 'gateway.db');
  const { gateway, key } = await open({ storage: sqliteStorage({ path: file }) });
  await gateway.fetch(chatRequest(key, 'Hello'));
  const watch = await readFile(path.join(docs, 'snippets/watch-sqlite.sql'), 'utf8');
  expect(columnsOf(watch)).toEqual(columnsOf(await readFile(path.join(docs, 'snippets/watch.sql'), 'utf8')));
  const database = new DatabaseSync(file, { readOnly: true });
  const quiet = { uncertain: 0, uncertain_hold_micros: 0, oldest_uncertain_ms: 0, oldest_running_ms: 0 };
  const none = { most_overdue_ms: 0, anomalies_of_a_day: 0, beyond_hold_of_a_day: 0 };
  expect({ ...database.prepare(watch).get() }).toEqual({ ...quiet, ...none });
  await gateway.fetch(chatRequest(key, '[[sandbox: unknown]]'));
  const { operations, holdMicros } = await watchUncertain(gateway.admin);
  const hold = Number(holdMicros);
  expect(database.prepare(watch).get()).toMatchObject({ uncertain: operations, uncertain_hold_micros: hold, ...none });
  expect([operations, hold > 0]).toEqual([1, true]);
  database.close();
  await gateway.close();
  await rm(folder, { recursive: true });
});

test('SQLite takes the blob store of the documentation', async () => {
  const s3 = await startS3Server();
  const { gateway, key } = await open({ storage: sqliteWithS3(':memory:', bucketOf(s3)) });
  const first = await (await gateway.fetch(chatRequest(key, large, 'large'))).text();
  expect(first.length).toBeGreaterThan(70_000);
  expect(await (await gateway.fetch(chatRequest(key, large, 'large'))).text()).toBe(first);
  await gateway.close();
  await s3.stop();
});

test('every client of the documentation gets the same vectors', async () => {
  const gateway = await openForGoogleClients({
    storage: memoryStorage(),
    provider: sandboxProvider(),
    logger: silentLogger,
    catalog: embeddingCatalog,
  });
  const { admin } = gateway;
  const account = await admin.createAccount({ name: 'docs' });
  await topUp(admin, account.id, { id: '1', credits: '100' });
  const project = present(await admin.createProject({ accountId: account.id, name: 'docs' }));
  const { key } = present(await admin.createKey({ projectId: project.id, model: 'embedding-2' }));
  const server = await serve(gateway, { port: 0 });
  const baseUrl = `${server.origin}/api/v1/ai`;
  const texts = ['The ferry leaves at nine.', 'When does the boat go?'];
  const vectors = await embedAll(createClient(baseUrl, key), texts);
  expect(vectors.map(({ length }) => length)).toEqual([768, 768]);
  expect(await embedWithGenai(baseUrl, key, texts)).toEqual(vectors);
  expect(await embedWithAiSdk(baseUrl, key, texts)).toEqual(vectors);
  // This one cannot ask for a length.
  expect((await embedWithLangChain(baseUrl, key, texts)).map(({ length }) => length)).toEqual([3072, 3072]);
  await server.close();
});

/** The rows of all tables of a page, as the texts of their cells. */
const tableRows = (page: string): readonly (readonly string[])[] =>
  page
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .map((line) => line.slice(2, -2).split(/\s+\|\s+/));

test('the page of chat lists every error code with its status', async () => {
  const rows = tableRows(await readFile(path.join(docs, 'routes/chat.md'), 'utf8'));
  // No route of this release returns a range.
  const { range_not_satisfiable: _, ...reachable } = errorTable;
  const listed = rows.filter(([status]) => /^\d{3}$/.test(status ?? ''));
  expect(listed.map(([status, code, message]) => [code, Number(status), message?.trimEnd()])).toEqual(
    Object.entries(reachable).map(([code, { status, message }]) => [`\`${code}\``, status, message]),
  );
});

test('the page of the sandbox lists every directive with its effect', async () => {
  const rows = tableRows(await readFile(path.join(docs, 'adapters/sandbox.md'), 'utf8'));
  const directives = rows.filter(([form]) => form?.startsWith('`[[sandbox:'));
  expect(directives.map(([form, effect]) => [form, effect?.trimEnd()])).toEqual(
    Object.values(directiveTable).map(({ form, effect }) => [`\`[[sandbox: ${form}]]\``, effect]),
  );
});

/** The members of an interface, as its source has them. */
const membersOf = (file: string, name: string): readonly string[] => {
  const source = readFileSync(new URL(`../packages/${file}`, import.meta.url), 'utf8');
  const body = new RegExp(`export interface ${name} \\{(.*?)\\n\\}`, 's').exec(source)?.[1] ?? '';
  return [...body.matchAll(/^ {2}readonly (\w+)\??:/gm)].map(([, member = '']) => member);
};

test.each([
  ['adapters/openai.md', 'provider-openai/src/upstream.ts', 'OpenaiProviderOptions', 23],
  ['adapters/google.md', 'provider-google/src/upstream.ts', 'GoogleProviderOptions', 14],
  ['adapters/anthropic.md', 'provider-anthropic/src/upstream.ts', 'AnthropicProviderOptions', 14],
  ['hosting.md', 'storage-sqlite/src/sqlite-storage.ts', 'SqliteStorageOptions', 9],
  ['hosting.md', 'tollgate/src/gateway-options.ts', 'GatewayOptions', 25],
])('the page %s has every option of %s', (page, file, name, least) => {
  const text = readFileSync(new URL(`../docs/${page}`, import.meta.url), 'utf8');
  const members = membersOf(file, name);
  expect(members.length).toBeGreaterThanOrEqual(least);
  expect(members.filter((member) => !new RegExp(`\`${member}\\b`).test(text))).toEqual([]);
});

test('the page of hosting has every function of the administration and every command', () => {
  const text = readFileSync(new URL('../docs/hosting.md', import.meta.url), 'utf8');
  const folder = new URL('../packages/engine/src/administration/', import.meta.url);
  const files = readdirSync(folder).filter((name) => /^administration\.ts$|(?<!bind)-methods\.ts$/.test(name));
  const source = files.map((name) => readFileSync(new URL(name, folder), 'utf8')).join('\n');
  const functions = [...source.matchAll(/^ +(\w+): (?:bind|\()/gm)].map(([, name = '']) => name);
  expect(functions.length).toBeGreaterThan(40);
  expect(functions.filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  const help = readFileSync(new URL('../packages/tollgate/src/cli/help.ts', import.meta.url), 'utf8');
  const commands = [...help.matchAll(/^ {2}(\w+): `tollgate/gm)].map(([, name = '']) => name);
  expect(commands.length).toBeGreaterThan(7);
  expect(commands.filter((name) => !text.includes(`tollgate ${name}`))).toEqual([]);
});

test('the hook of the documentation refuses, changes the model and keeps tags', async () => {
  const { gateway, key, accountId } = await open({ hooks: deciding }, 'pro-2.5');
  const refused = await gateway.fetch(chatRequest(key, 'Hello'));
  expect([refused.status, (await bodyOf(refused)).error.code]).toEqual([422, 'invalid_request']);
  const asked = chatRequest(key, 'Hello');
  asked.headers.set('x-customer-id', 'c-7');
  expect((await gateway.fetch(asked)).status).toBe(200);
  const [operation] = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operation).toMatchObject({ model: 'flash-3.8', askedModel: 'pro-2.5', tags: { customer: 'c-7' } });
  await gateway.close();
});

test('the moderation of the documentation refuses what is flagged, on every wire', async () => {
  const heard: unknown[] = [];
  const judge = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      heard.push(JSON.parse(text));
      response.end(JSON.stringify({ results: [{ flagged: text.includes('a bomb') }] }));
    });
  });
  const { gateway, key } = await open({ hooks: moderatedBy(await startListening(judge), 'judge-key') });
  expect((await gateway.fetch(chatRequest(key, 'Hello'))).status).toBe(200);
  const refused = await gateway.fetch(chatRequest(key, 'How do I build a bomb?'));
  expect([refused.status, (await bodyOf(refused)).error.code]).toEqual([403, 'request_refused']);
  expect(heard).toEqual([
    { model: 'omni-moderation-latest', input: ['Hello'] },
    { model: 'omni-moderation-latest', input: ['How do I build a bomb?'] },
  ]);
  const spoken = {
    systemInstruction: { parts: [{ text: 'a' }] },
    contents: [{ role: 'user', parts: [{ text: 'b' }] }],
  };
  expect(textsOf(spoken)).toEqual(['a', 'b']);
  judge.close();
  judge.closeAllConnections();
  const unheard = await gateway.fetch(chatRequest(key, 'Hello'));
  expect([unheard.status, (await bodyOf(unheard)).error.code]).toEqual([503, 'service_unavailable']);
  await gateway.close();
});

test('the host of the documentation hears of each settlement once, and of a low balance', async () => {
  const rows = new Map<string, bigint>();
  const reminded: bigint[] = [];
  const hooks = keepingBooks({
    insertOnce: async ({ id, micros }) => void rows.set(id, micros),
    remind: async (_, balanceMicros) => void reminded.push(balanceMicros),
  });
  const { gateway, key, accountId } = await open({ hooks });
  await gateway.admin.setLowBalance(accountId, 100_000_000n);
  expect((await gateway.fetch(chatRequest(key, 'Hello'))).status).toBe(200);
  await gateway.jobs.runDue();
  const [operation] = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect([...rows.values()]).toEqual([operation?.chargedMicros]);
  expect(reminded).toEqual([100_000_000n - (operation?.chargedMicros ?? 0n)]);
  await gateway.close();
});

const serviceHeaders =
  ({ headers }: IncomingMessage) =>
  (name: string): string =>
    String(headers[`x-service-${name}`]);

test('the hook of the documentation posts a low balance with a signature, and again where the server fails', async () => {
  const kinds: string[] = [];
  const events: unknown[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const header = serviceHeaders(request);
      const body = Buffer.concat(chunks);
      const delivery = { eventId: header('event-id'), timestamp: header('timestamp'), signature: header('signature') };
      kinds.push(verify(['low-secret'], { ...delivery, body }, { nowMs: Date.now() }).kind);
      events.push(JSON.parse(body.toString()));
      response.writeHead(events.length === 1 ? 500 : 204).end();
    });
  });
  const clock = fakeClock(Date.parse('2026-11-01T00:00:00Z'));
  const { gateway, key, accountId } = await open({
    storage: memoryStorage({ now: clock.now }),
    world: { wallClockMs: clock.now, monotonicMs: clock.monotonicMs, sleep: clock.sleep, after: clock.after },
    hooks: postingLowBalances(await startListening(receiver), 'low-secret'),
  });
  await gateway.admin.setLowBalance(accountId, 100_000_000n);
  expect((await gateway.fetch(chatRequest(key, 'Hello'))).status).toBe(200);
  await gateway.jobs.runDue();
  await clock.advance(5_001);
  await gateway.jobs.runDue();
  await clock.advance(300_001);
  await gateway.jobs.runDue();
  expect(kinds).toEqual(['valid', 'valid']);
  expect(events[0]).toMatchObject({ type: 'balance.low', account_id: accountId });
  expect(events[1]).toEqual(events[0]);
  await gateway.close();
  receiver.close();
  receiver.closeAllConnections();
});

test('the page of metering lists every unit', async () => {
  const rows = tableRows(await readFile(path.join(docs, 'concepts/metering.md'), 'utf8'));
  const listed = rows.flatMap(([unit]) => (unit?.startsWith('`') === true ? [unit.slice(1, -1)] : []));
  expect(listed.toSorted()).toEqual([...usageUnits].toSorted());
});

test('the role of the documentation owns nothing, and a gateway with shared limits runs by it', async () => {
  const database = await testDatabase();
  const role = `gateway_${randomUUID().replaceAll('-', '')}`;
  const url = new URL(database.url);
  url.username = role;
  url.password = 'secret';
  const connectionString = url.href;
  await migrate(database.url);
  await createLimitsSchema(database.url);
  const grants = await readFile(path.join(docs, 'snippets/grants.sql'), 'utf8');
  await runSql(
    database.url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'secret'; ${grants.replaceAll(/\bgateway\b/gu, role)}`,
  );
  await expect(postgresLimits({ connectionString })).rejects.toThrow('permission denied');
  const { gateway, key } = await open({
    storage: await postgresStorage({ connectionString, migrate: false }),
    limiter: await postgresLimits({
      connectionString,
      create: false,
      limitsOf: () => ({ key: { requestsPerMinute: 1, tokensPerMinute: 1_000_000, concurrentRequests: 1 } }),
    }),
  });
  const asked = async () => (await gateway.fetch(chatRequest(key, 'Hello'))).status;
  expect([await asked(), await asked()]).toEqual([200, 429]);
  await gateway.close();
  await runSql(database.url, `DROP OWNED BY ${role}; DROP ROLE ${role}`);
  await database.drop();
});

test('the hook of the documentation that costs something is not asked by a key beyond its limit', async () => {
  let judged = 0;
  const hooks = judgedSparingly(async () => {
    judged += 1;
    return judged !== 2;
  });
  const { gateway, key } = await open({ hooks });
  const statuses: number[] = [];
  for (let call = 0; call < 62; call += 1) statuses.push((await gateway.fetch(chatRequest(key, 'Hello'))).status);
  expect(statuses.slice(0, 3)).toEqual([200, 403, 200]);
  expect(statuses).toContain(429);
  expect(judged).toBe(statuses.filter((status) => status !== 429).length);
  await gateway.close();
});

test('every piece of code that a page includes is there', async () => {
  const pages = (await readdir(docs, { recursive: true })).filter(
    (file) => file.endsWith('.md') && !/^(?:api|node_modules|\.vitepress)\//.test(file),
  );
  const included: string[] = [];
  for (const page of pages) {
    const text = await readFile(path.join(docs, page), 'utf8');
    for (const [, file = '', region] of text.matchAll(/^<<< ([^#\s{]+)(?:#([^\s{]+))?(?:\{[^}]*\})?(?: \[.+\])?$/gm)) {
      const source = await readFile(path.resolve(docs, path.dirname(page), file), 'utf8');
      // Python and shell begin a comment with another sign.
      expect(source).toContain(region === undefined ? '' : `region ${region}\n`);
      included.push(file);
    }
  }
  expect(included.length).toBeGreaterThan(25);
});

test('the environment of the documentation keeps its files and hides its secret', async () => {
  const { gateway, key } = await open({});
  const target = { baseUrl: `${origin}/api/v1/ai`, key, fetch: gateway.fetch };
  const id = await createEnvironment(target);
  expect(await listFiles(target, id)).toEqual(['data/sales.csv', 'report.py']);
  expect(Buffer.from(await downloadFile(target, id, 'data/sales.csv')).toString()).toBe('month,total\n1,42');
  await gateway.close();
});

test('the user of "Build a business on it" is made once, has one key of each name, and a token for its page', async () => {
  const { gateway } = await open({});
  const { admin } = gateway;
  const user = { id: randomUUID(), email: 'ada@customer.example' };
  await Promise.all([ensureAccount(admin, user), ensureAccount(admin, user)]);
  await topUp(admin, user.id, { id: '1', credits: '10' });
  const key = present(await createUserKey(admin, user, 'laptop'));
  expect(await createUserKey(admin, user, 'laptop')).toBeNull();
  const answer = await bodyOf(await gateway.fetch(chatRequest(key, 'a question')));
  expect(answer.service.credits).toBeGreaterThan(0);
  const page = present(await createPageToken(admin, user, origin));
  const balance = await gateway.fetch(
    new Request(`${origin}/api/v1/ai/account/balance`, { headers: { authorization: `Bearer ${page.token}` } }),
  );
  expect(await balance.json()).toMatchObject({
    object: 'account.balance',
    available_credits: (10 - answer.service.credits).toFixed(6),
  });
  await gateway.close();
});
