import assert from 'node:assert/strict';
import { basePath } from '@tollgate/contract';
import type { Administration, CreatedKey, Logger, Payments } from '@tollgate/engine';
import { scriptedProvider, type ScriptedProvider } from '../fakes/scripted-provider.ts';
import { jsonOf, okJson, type Answer, type Json } from './answer.ts';
import type {
  GatewayCaseOptions,
  GatewaySettings,
  GatewayUnderTest,
  OpenGateway,
  WalletUnderTest,
  WorldSettings,
} from './gateway-under-test.ts';
import { createManualTime, type ManualTime } from './manual-time.ts';
import { startReceiver, type Receiver } from './receiver.ts';
import type { SuiteSocket } from './suite-socket.ts';
import { suiteModel, suiteTariff } from './suite-tariff.ts';
import { sweepAnswer } from './sweep-answer.ts';

/** One request. A body that is neither text, bytes nor a stream is sent as JSON. */
export interface Ask {
  readonly method?: string | undefined;
  /** Below the base path. */
  readonly path: string;
  /** The caller's own by default; null sends none. */
  readonly key?: string | null | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly signal?: AbortSignal;
}

/** A key and where it belongs. */
export interface Caller {
  readonly key: string;
  readonly keyId: string;
  readonly projectId: string;
  readonly accountId: string;
}

/** What a case works with: a gateway, one caller with 1,000 credits, a provider to script, and time to move. */
export interface GatewayWorld extends Caller {
  readonly provider: ScriptedProvider;
  readonly admin: Administration;
  readonly payments: Payments;
  readonly wallet: WalletUnderTest;
  readonly time: ManualTime;
  readonly settings: GatewaySettings;
  /** Where the events of the gateway go, in a case that receives any. */
  readonly receiver: Receiver;
  /** Everything logged so far, as text. */
  readonly logged: () => string;
  readonly send: (ask: Ask) => Promise<Answer>;
  /** The answer itself, whose body is still to be read; nothing of it is swept. */
  readonly open: (ask: Ask) => Promise<Response>;
  /** A client's socket for sessions; of a page, where an origin is given. */
  readonly socket: (origin?: string) => Promise<SuiteSocket>;
  /** A chat with the caller's key; the default body is a greeting. */
  readonly chat: (body?: unknown, more?: Omit<Ask, 'path' | 'body'>) => Promise<Answer>;
  /** The record of an operation, which must be there. */
  readonly record: (id: string) => Promise<Json>;
  readonly createAccount: (amountMicros: bigint) => Promise<string>;
  readonly createProject: (accountId: string) => Promise<string>;
  readonly createCaller: (owner: { readonly projectId: string; readonly model: string | null }) => Promise<Caller>;
  readonly runJobs: () => Promise<unknown>;
  /** Goes on with another gateway on the same data, with the same settings but for those given. */
  readonly reopen: (change?: Pick<GatewaySettings, 'contextSecret'>) => Promise<void>;
}

export const greeting = { messages: [{ role: 'user', content: 'Hello' }] } as const;

const startMs = Date.UTC(2026, 10, 20, 12, 0, 0);
/** The wallet of a case's first account: 1,000 credits. */
const firstDepositMicros = 1_000_000_000n;

const bytesOf = (body: unknown): Uint8Array | ReadableStream =>
  body instanceof Uint8Array || body instanceof ReadableStream
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));

const toRequest = (ask: Ask, base: string, ownKey: string): Request => {
  const key = ask.key === undefined ? ownKey : ask.key;
  const method = ask.method ?? (ask.body === undefined ? 'GET' : 'POST');
  const headers = new Headers(ask.body === undefined ? {} : { 'content-type': 'application/json' });
  if (key !== null) headers.set('authorization', `Bearer ${key}`);
  for (const [name, value] of Object.entries(ask.headers ?? {})) headers.set(name, value);
  return new Request(`http://gateway.test${base}${ask.path}`, {
    method,
    headers,
    ...(ask.body === undefined ? {} : { body: bytesOf(ask.body), duplex: 'half' }),
    ...(ask.signal === undefined ? {} : { signal: ask.signal }),
    redirect: 'manual',
  });
};

const createLog = (): { readonly logger: Logger; readonly logged: () => string } => {
  const lines: string[] = [];
  const write = (message: string, fields?: Readonly<Record<string, unknown>>): void => {
    const cause = fields?.['cause'];
    lines.push(`${message} ${JSON.stringify(fields)} ${cause instanceof Error ? cause.message : ''}`);
  };
  return { logger: { info: write, warn: write, error: write }, logged: () => lines.join('\n') };
};

const requireCreated = (created: CreatedKey | null): CreatedKey => {
  assert.ok(created !== null, 'the project of a key must exist');
  return created;
};

/** The owners of keys, made through the administration as a dashboard makes them. */
const createOwners = (current: () => GatewayUnderTest, keys: string[]) => {
  const createAccount = async (amountMicros: bigint): Promise<string> => {
    const { id } = await current().admin.createAccount({ name: 'Suite' });
    if (amountMicros > 0n) await current().wallet.deposit(id, amountMicros);
    return id;
  };
  const createProject = async (accountId: string): Promise<string> => {
    const project = await current().admin.createProject({ accountId, name: 'Suite' });
    assert.ok(project !== null, 'the account of a project must exist');
    return project.id;
  };
  const createCaller = async (owner: { projectId: string; model: string | null }): Promise<Caller> => {
    const { id, key, projectId, accountId } = requireCreated(await current().admin.createKey(owner));
    keys.push(key);
    return { key, keyId: id, projectId, accountId };
  };
  return { createAccount, createProject, createCaller };
};

/** The provider of a case, which has what is scripted. */
const scriptedOf = (
  { fileSteps, cacheSteps, batchSteps, interactionSteps, runsTool }: WorldSettings,
  now: () => number,
): ScriptedProvider =>
  scriptedProvider({
    now,
    fileSteps,
    cacheSteps,
    batchSteps,
    interactionSteps,
    runsTool,
  });

/** What of a case's settings is an option of the gateway: it refuses everything else. */
const optionsOf = (settings: GatewaySettings): GatewayCaseOptions => {
  const {
    interactionSteps: _,
    fileSteps: __,
    cacheSteps: ___,
    batchSteps: ____,
    receives: _____,
    runsTool: ______,
    ...options
  } = settings;
  return options;
};

/** Opens a gateway with one caller. Every answer is swept; `close` also proves that the money adds up. */
export const openWorld = async (
  open: OpenGateway,
  settings: GatewaySettings,
): Promise<{ readonly world: GatewayWorld; readonly close: () => Promise<void> }> => {
  const time = createManualTime(startMs);
  const { logger, logged } = createLog();
  const provider = scriptedOf(settings, time.now);
  const { now, after, monotonicMs, sleep } = time;
  const receiver = settings.receives === true ? await startReceiver() : null;
  let current = await open({
    tariff: suiteTariff,
    ...optionsOf(settings),
    provider,
    logger,
    now,
    world: { after, monotonicMs, sleep, wallClockMs: now },
    ...(receiver === null ? {} : { webhooks: receiver.route }),
  });
  const keys: string[] = [];
  const owners = createOwners(() => current, keys);
  const accountId = await owners.createAccount(firstDepositMicros);
  const projectId = await owners.createProject(accountId);
  const hasModel = settings.catalog?.some(({ id }) => id === suiteModel) ?? true;
  // A key of a catalog without the suite's model chooses automatically.
  const caller = await owners.createCaller({ projectId, model: hasModel ? suiteModel : null });
  const opened = (ask: Ask): Promise<Response> =>
    current.fetch(toRequest(ask, settings.basePath ?? basePath, caller.key));
  const send = async (ask: Ask): Promise<Answer> => {
    const response = await opened(ask);
    const { status, headers } = response;
    const answer = { status, headers, text: await response.text(), path: ask.path.split('?')[0] ?? '' };
    sweepAnswer(answer, keys, settings.compatibility?.google === true);
    return answer;
  };
  const world: GatewayWorld = {
    ...caller,
    ...owners,
    provider,
    time,
    settings,
    get receiver() {
      assert.ok(receiver !== null, 'the settings of a case that receives events must say so');
      return receiver;
    },
    logged,
    send,
    open: opened,
    socket: (origin) => current.socket(`${settings.basePath ?? basePath}/live`, origin ?? null),
    get admin() {
      return current.admin;
    },
    get payments() {
      return current.payments;
    },
    get wallet() {
      return current.wallet;
    },
    chat: (body = greeting, more = {}) => send({ ...more, path: '/chat/completions', body }),
    record: async (id) => okJson(await send({ path: `/requests/${id}` })),
    runJobs: () => current.runJobs(),
    reopen: async (change) => {
      current = await current.reopen(change);
    },
  };
  const close = async (): Promise<void> => {
    await current.close();
    await receiver?.close();
  };
  return { world, close };
};

/** Asserts that the audit of a gateway finds nothing wrong. */
export const assertSound = async (admin: Administration): Promise<void> => {
  const { violations, busy } = await admin.audit();
  assert.deepEqual(jsonOf({ violations, busy }).value, { violations: [], busy: [] });
};
