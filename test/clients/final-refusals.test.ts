import { afterAll, beforeAll, expect, test } from 'vitest';
import { startGateway, type RunningGateway } from './running-gateway.ts';
import { outcomeOf, streamClients } from './stream-clients.ts';

(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

let running: RunningGateway;
let keys: Readonly<Record<'wrong' | 'poor' | 'paused' | 'good', string>>;

beforeAll(async () => {
  running = await startGateway({ options: { compatibility: { openai: true, anthropic: true } } });
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
  };
});
afterAll(() => running.close());

/** Refusals that no repeat changes: by the key, by the credits, by the project, by the path, by the request, and by what became of it. */
const refusals = [
  ['401', 'wrong', 'Hi'],
  ['402', 'poor', 'Hi'],
  ['403', 'paused', 'Hi'],
  ['404', 'good', 'Hi'],
  ['422', 'good', 'Hi [[sandbox: invalid]]'],
  ['502, failed', 'good', 'Hi [[sandbox: fail]]'],
  ['502, unknown', 'good', 'Hi [[sandbox: unknown]]'],
] as const;

type Refusal = (typeof refusals)[number];

/** Which refusals a client repeats whatever the gateway says of them: it looks at the status alone. */
const repeated: ReadonlyMap<string, readonly Refusal[0][]> = new Map([
  ['@ai-sdk/openai-compatible', ['502, failed', '502, unknown']],
  ['@ai-sdk/anthropic', ['502, failed', '502, unknown']],
  ['@langchain/openai', ['422', '502, failed', '502, unknown']],
  ['@langchain/anthropic', ['502, failed', '502, unknown']],
]);

const all = streamClients.flatMap((client) => refusals.map((refusal) => ({ client, refusal })));
const isRepeated = ({ client, refusal }: (typeof all)[number]): boolean =>
  repeated.get(client.name)?.includes(refusal[0]) === true;
const named = (rows: typeof all) => rows.map((row) => [row.client.name, row.refusal[0], row] as const);

test.each(named(all.filter((row) => !isRepeated(row))))(
  '%s sends a request once that is refused with %s',
  async (_name, status, { client, refusal: [, key, prompt] }) => {
    const before = running.wire.length;
    const baseUrl = status === '404' ? `${running.baseUrl}/nowhere` : running.baseUrl;
    expect(await outcomeOf(client.read({ baseUrl, key: keys[key] }, prompt))).toBe('error');
    expect(running.wire.length - before).toBe(1);
  },
);

/** So many requests of one client with a prompt of its own. */
const countOf = async ({ client, refusal: [, key, prompt] }: (typeof all)[number], maxRetries: number) => {
  const own = `${prompt} ${client.name} ${maxRetries}`;
  expect(await outcomeOf(client.read({ baseUrl: running.baseUrl, key: keys[key], maxRetries }, own))).toBe('error');
  return running.wire.filter(({ sent }) => sent?.includes(own) === true).length;
};

test.concurrent.each(named(all.filter(isRepeated)))(
  '%s repeats a refusal with %s whatever the gateway says of it, unless it may not repeat at all',
  async (_name, _status, row) => {
    expect(await countOf(row, 0)).toBe(1);
    expect(await countOf(row, 1)).toBe(2);
  },
);
