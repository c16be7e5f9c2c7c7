import { createMemoryDisk, memoryStorage, type MemoryDisk } from '@tollgate/storage-memory';
import type { Storage } from '@tollgate/storage';
import { scriptedProvider, type ScriptedProvider } from '@tollgate/testing/fakes';
import {
  createGateway,
  serve,
  type Gateway,
  type GatewayOptions,
  type RunningServer,
  type ServeOptions,
} from 'tollgate';

type Handle = Gateway['handle'];
type Answer = Awaited<ReturnType<Handle>>;

/** A gateway on memory with one caller, and a record of what its handler returned, read or not. */
export interface OwnGateway {
  readonly gateway: Gateway;
  readonly provider: ScriptedProvider;
  readonly disk: MemoryDisk;
  readonly key: string;
  readonly projectId: string;
  readonly accountId: string;
  /** What was logged, as text. */
  readonly logged: () => string;
  /** Resolves with the answers once there are so many. */
  readonly answered: (count: number) => Promise<readonly Answer[]>;
}

export interface OwnGatewayOptions {
  readonly disk?: MemoryDisk;
  /** Puts something between the gateway and its storage. */
  readonly between?: (storage: Storage) => Storage;
  readonly compatibility?: GatewayOptions['compatibility'];
  /** Streams in place of the scripted provider. */
  readonly generateStream?: ScriptedProvider['generateStream'];
  /** Who observes the gateway, and how its probes and its log of requests are set. */
  readonly observed?: Pick<GatewayOptions, 'observers' | 'requestLog' | 'probes'>;
}

const tariff = {
  version: 'node-tests',
  models: { '*': { perMillion: { input_text_tokens: '1000', output_text_tokens: '2000' } } },
};

const watch = (handle: Handle) => {
  const answers: Answer[] = [];
  const waiting: { readonly count: number; readonly resolve: (answers: readonly Answer[]) => void }[] = [];
  return {
    handle: (async (request) => {
      const answer = await handle(request);
      answers.push(answer);
      for (const { count, resolve } of waiting) if (answers.length >= count) resolve(answers);
      return answer;
    }) satisfies Handle,
    answered: (count: number): Promise<readonly Answer[]> =>
      answers.length >= count ? Promise.resolve(answers) : new Promise((resolve) => waiting.push({ count, resolve })),
  };
};

export const createOwnGateway = async (options: OwnGatewayOptions = {}): Promise<OwnGateway> => {
  const disk = options.disk ?? createMemoryDisk();
  const between = options.between ?? ((storage: Storage) => storage);
  const scripted = scriptedProvider();
  const { generateStream = scripted.generateStream } = options;
  const provider: ScriptedProvider = { ...scripted, generateStream };
  const lines: string[] = [];
  const log = (message: string, fields: Readonly<Record<string, unknown>> = {}): void => {
    const cause = fields['cause'];
    lines.push(`${message} ${JSON.stringify(fields)} ${cause instanceof Error ? cause.message : ''}`);
  };
  const created = await createGateway({
    storage: between(memoryStorage({ disk })),
    provider,
    tariff,
    compatibility: options.compatibility ?? {},
    logger: { info: log, warn: log, error: log },
    ...options.observed,
  });
  const { handle, answered } = watch(created.handle);
  const { admin } = created;
  const { id: accountId } = await admin.createAccount({ name: 'Node' });
  await admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'Node' });
  if (project === null) throw new Error('the account is gone');
  const key = await admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  if (key === null) throw new Error('the project is gone');
  return {
    gateway: { ...created, handle },
    provider,
    disk,
    key: key.key,
    projectId: project.id,
    accountId,
    logged: () => lines.join('\n'),
    answered,
  };
};

/** The same, listening on a free port. */
export const serveOwnGateway = async (
  options: OwnGatewayOptions & ServeOptions = {},
): Promise<OwnGateway & { readonly server: RunningServer; readonly url: string }> => {
  const { disk: _, between: __, generateStream: ___, compatibility: ____, observed: _____, ...serving } = options;
  const own = await createOwnGateway(options);
  const server = await serve(own.gateway, { port: 0, ...serving });
  return { ...own, server, url: `${server.origin}/api/v1/ai` };
};

export const greeting = JSON.stringify({ messages: [{ role: 'user', content: 'Hello' }] });

const content = JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hello' }] }] });

/** A stream of generateContent by the runtime's own client. */
export const postStream = (
  { url, key }: { readonly url: string; readonly key: string },
  more: { readonly identity?: string; readonly signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(`${url}/models/flash-2.5:streamGenerateContent`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(more.identity === undefined ? {} : { 'idempotency-key': more.identity }),
    },
    body: content,
    ...(more.signal === undefined ? {} : { signal: more.signal }),
  });

/** The same as it stands on the wire. */
export const streamRequest = (key: string, identity: string): string =>
  [
    'POST /api/v1/ai/models/flash-2.5:streamGenerateContent HTTP/1.1',
    'Host: gateway.test',
    `Authorization: Bearer ${key}`,
    `Idempotency-Key: ${identity}`,
    `Content-Length: ${content.length}`,
    '',
    content,
  ].join('\r\n');

/** A chat by the runtime's own client. */
export const postChat = (
  { url, key }: { readonly url: string; readonly key: string },
  more: { readonly body?: string; readonly identity?: string; readonly signal?: AbortSignal } = {},
): Promise<Response> =>
  fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...(more.identity === undefined ? {} : { 'idempotency-key': more.identity }),
    },
    body: more.body ?? greeting,
    ...(more.signal === undefined ? {} : { signal: more.signal }),
  });
