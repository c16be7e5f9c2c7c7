import { randomUUID } from 'node:crypto';
import { adminHandler } from '@tollgate/admin';
import { memoryStorage } from '@tollgate/storage-memory';
import {
  createGateway,
  microsFromCredits,
  sandboxProvider,
  silentLogger,
  testModeTariff,
  type Gateway,
} from 'tollgate';
import { bySession } from '../../docs/snippets/callers.ts';
import { completion } from '../../docs/snippets/dialect.ts';
import { withJudge } from '../../docs/snippets/options.ts';
import { orderTools } from '../../docs/snippets/tool-runner.ts';
import { wikiSearch } from '../../docs/snippets/tools.ts';
import { receiverDown } from '../receiver-down.ts';

/** A gateway with everything that a command of the documentation may call, its administration, and a paid key. */
export interface CurlWorld {
  readonly gateway: Gateway;
  readonly key: string;
  readonly accountId: string;
  readonly projectId: string;
  /** Sends a request to the gateway, or to its administration if its path says so. */
  readonly send: (request: Request) => Promise<Response>;
}

export const origin = 'http://gateway.test';
export const basePath = '/api/v1/ai';
export const secret = 's'.repeat(32);
export const session = 'session-of-ada';

const tariff = { ...testModeTariff, serviceTiers: { flex: '0.5' } };

export const openCurlWorld = async (model?: string): Promise<CurlWorld> => {
  // The project of the caller by cookie, once it is there.
  let projectId = '';
  const gateway = await createGateway({
    storage: memoryStorage(),
    // No command waits.
    provider: sandboxProvider({ sleep: () => Promise.resolve() }),
    logger: silentLogger,
    tariff,
    catalog: withJudge,
    compatibility: { openai: true, anthropic: true, google: true, ollama: true },
    dialects: [completion],
    tools: {
      ...wikiSearch({ find: () => Promise.resolve([{ name: 'Faro', path: '/faro' }]) }),
      ...orderTools({ find: () => Promise.resolve({ status: 'sent' }) }),
    },
    authenticate: bySession({
      find: (headers) =>
        Promise.resolve(headers.get('cookie') === `session=${session}` ? { id: 'ada', projectId } : null),
    }),
    webhooks: { sender: receiverDown },
  });
  gateway.jobs.start();
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'Ada' });
  await admin.deposit({ accountId, amountMicros: microsFromCredits('100000'), reference: randomUUID() });
  const project = await admin.createProject({ accountId, name: 'Engine' });
  projectId = project?.id ?? '';
  const created = await admin.createKey({ projectId, model });
  const administer = adminHandler(gateway, {
    logger: silentLogger,
    authorize: ({ headers }) =>
      headers.get('authorization') === `Bearer ${secret}` ? { role: 'operator', name: 'olga' } : null,
  });
  return {
    gateway,
    key: created?.key ?? '',
    accountId,
    projectId,
    send: (request) =>
      new URL(request.url).pathname.startsWith('/admin/') ? administer(request) : gateway.fetch(request),
  };
};

/** An account, a project, a key, an uncertain operation, a delivery and a schedule, for one command of the administration. */
export const furnish = async ({ gateway, send }: CurlWorld): Promise<Readonly<Record<string, string>>> => {
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'Ada' });
  await admin.deposit({ accountId, amountMicros: microsFromCredits('100'), reference: randomUUID() });
  const project = await admin.createProject({ accountId, name: 'Engine' });
  const projectId = project?.id ?? '';
  const created = await admin.createKey({ projectId });
  const headers = { authorization: `Bearer ${created?.key}`, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown): Promise<void> => {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    await send(new Request(`${origin}${basePath}${path}`, init));
  };
  await post('/chat/completions', {
    model: 'flash-3.8',
    messages: [{ role: 'user', content: '[[sandbox: unknown]]' }],
  });
  await post('/webhooks', { url: 'https://hooks.example.com/in' });
  const interaction = { model: 'flash-3.8', input: 'Summarize.' };
  await post('/triggers', { schedule: '0 9 * * *', time_zone: 'UTC', interaction });
  const [operation] = await admin.listOperations({ kind: 'account', accountId });
  const [webhook] = await admin.listWebhooks(projectId);
  const event = await admin.sendTestEvent({ projectId, webhookId: webhook?.id ?? '' });
  const schedules = await send(
    new Request(`${origin}/admin/schedules?project_id=${projectId}`, {
      headers: { authorization: `Bearer ${secret}` },
    }),
  );
  const [, schedule = ''] = /"id":\s*"([^"]+)"/u.exec(await schedules.text()) ?? [];
  return {
    ACCOUNT: accountId,
    PROJECT: projectId,
    KEY: created?.id ?? '',
    OPERATION: operation?.id ?? '',
    DELIVERY: encodeURIComponent(event?.id ?? ''),
    SCHEDULE: schedule,
  };
};
