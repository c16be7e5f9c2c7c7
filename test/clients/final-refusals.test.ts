import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rowUnder } from './client-table.ts';
import { startQuickClients, type QuickClients } from './quick-clients.ts';
import { boundModel, startGateway, type RunningGateway } from './running-gateway.ts';
import { streamClients, type ClientTarget } from './stream-clients.ts';

let running: RunningGateway;
let clients: QuickClients;
let keys: Readonly<Record<'wrong' | 'poor' | 'paused' | 'good' | 'unbound', string>>;

beforeAll(async () => {
  clients = startQuickClients();
  running = await startGateway({ options: { compatibility: { openai: true, anthropic: true, google: true } } });
  const { admin } = running.gateway;
  const keyOf = async (name: string, pause: boolean): Promise<string> => {
    const { id: accountId } = await admin.createAccount({ name });
    const project = await admin.createProject({ accountId, name });
    if (project === null) throw new Error('no project');
    const key = await admin.createKey({ projectId: project.id, model: null });
    if (pause) await admin.setProjectStatus(project.id, 'paused');
    return key?.key ?? '';
  };
  keys = {
    wrong: 'sk-wrong',
    poor: await keyOf('Poor', false),
    paused: await keyOf('Paused', true),
    good: running.key,
    unbound: await running.newKey(null),
  };
});
afterAll(async () => {
  await clients.close();
  await running.close();
});

interface Refusal {
  readonly title: string;
  readonly key?: keyof typeof keys;
  readonly asked?: Partial<ClientTarget>;
  readonly prompt?: string;
  /** Whether the model is called for it. */
  readonly executed: boolean;
  /** Clients that never send such a request. */
  readonly keptBy?: readonly string[];
}

/** By the column of the page that says how many requests they cost, in its order. */
const columns: readonly (readonly Refusal[])[] = [
  [
    { title: '401 for a wrong key', key: 'wrong', executed: false },
    { title: '402 for an account without credits', key: 'poor', executed: false },
    { title: '403 for a paused project', key: 'paused', executed: false },
    { title: '404 for an unknown model', key: 'unbound', asked: { model: 'no-such-model' }, executed: false },
  ],
  [
    {
      title: '422 for an invalid field',
      asked: { temperature: 9 },
      executed: false,
      // The one sends its highest value instead, and the other throws an error of its own.
      keptBy: ['@ai-sdk/anthropic', '@langchain/google-genai'],
    },
    { title: '422 by the provider', prompt: '[[sandbox: invalid]]', executed: true },
  ],
  [
    { title: '502 for a failure', prompt: '[[sandbox: fail]]', executed: true },
    { title: '502 for an unknown outcome', prompt: '[[sandbox: unknown]]', executed: true },
  ],
  [
    { title: '429 by the provider', prompt: '[[sandbox: rate-limited]]', executed: true },
    { title: '503 by the provider', prompt: '[[sandbox: unavailable]]', executed: true },
  ],
];

/** The library that a client is one way to call. */
const libraryOf = (name: string): string => name.split(',')[0] ?? name;

/** What the page says of each library: the requests for each column. */
const requestsOf = (name: string): readonly number[] =>
  rowUnder('## Retries', libraryOf(name))?.slice(1, 5).map(Number) ?? [];

const debits = async (): Promise<number> => {
  const entries = await running.gateway.admin.readStatement(running.accountId);
  return entries.filter(({ kind }) => kind === 'debit').length;
};

/** What one reading at its client's own defaults cost. */
const costOf = async (
  client: string,
  { key = 'good', asked, prompt = '' }: Refusal,
  more: Partial<ClientTarget> = {},
) => {
  const before = { requests: running.wire.length, executions: running.calls.length, debits: await debits() };
  const target = { baseUrl: running.baseUrl, key: keys[key], model: boundModel, ...asked, ...more };
  const text = await clients.read({ client, target, prompt: `Hi ${prompt}` });
  return {
    outcome: text === null ? 'error' : 'success',
    requests: running.wire.length - before.requests,
    executions: running.calls.length - before.executions,
    debits: (await debits()) - before.debits,
  };
};

test('a stream that succeeds costs one request, one execution and one debit', async () => {
  const [name = ''] = streamClients.map((client) => client.name);
  const cost = { outcome: 'success', requests: 1, executions: 1, debits: 1 };
  expect(await costOf(name, { title: '200', executed: true })).toEqual(cost);
});

describe.each(streamClients.map(({ name }) => name))('%s', (name) => {
  const rows = columns.flatMap((refusals, at) =>
    refusals
      .filter(({ keptBy }) => keptBy?.includes(name) !== true)
      .map((refusal) => [refusal.title, refusal, at] as const),
  );

  test.each(rows)('%s: costs the requests that the page says, and no credits', async (_title, refusal, at) => {
    const requests = requestsOf(name)[at];
    const executions = refusal.executed ? requests : 0;
    expect(await costOf(name, refusal)).toEqual({ outcome: 'error', requests, executions, debits: 0 });
  });

  test.each(rows)('%s: costs one request where the client may not repeat', async (_title, refusal) => {
    expect(await costOf(name, refusal, { maxRetries: 0 })).toMatchObject({ outcome: 'error', requests: 1, debits: 0 });
  });
});
