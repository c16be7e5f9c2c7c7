// Sends the example of each route to a gateway with the sandbox, in this process and without a network.
import { basePath, routes, type Route } from '@tollgate/contract';
import type { WebhookSender } from '@tollgate/engine';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import { memoryStorage } from '@tollgate/storage-memory';
import { createGateway, microsFromCredits, silentLogger, type Gateway, type GatewayOptions } from 'tollgate';
import { exampleAsks, type ExampleAsk, type Ids, type Named } from './example-asks.ts';
import { curlOf, fetchOf, type Ask } from './snippets.ts';

export interface ExampleGateway {
  readonly gateway: Gateway;
  readonly base: string;
  /** Finishes what is under way, and what is due at a time. */
  readonly work: (at?: string) => Promise<void>;
  /** The text of a key that is bound to a model, or to none. */
  readonly keyOf: (model: string | undefined) => Promise<string>;
}

/** Takes every event, wherever its receiver is. */
const receiver: WebhookSender = {
  check: (url) => Promise.resolve({ kind: 'allowed', url }),
  send: () => Promise.resolve({ kind: 'answered', status: 200, retryAfterMs: null }),
  close: () => Promise.resolve(),
};

/** When the examples happen. */
const startMs = Date.parse('2026-11-20T10:00:00.000Z');
/** More than a worker waits before it asks a provider again. */
const pauseMs = 60_000;
const roundsOfWork = 3;

/** Opens a gateway with one project, ids that count up, and a clock that goes on only while work is done. */
export const openExampleGateway = async (options: GatewayOptions = {}): Promise<ExampleGateway> => {
  let nowMs = startMs;
  let ids = 0;
  const gateway = await createGateway({
    storage: memoryStorage({ now: () => nowMs }),
    world: {
      wallClockMs: () => nowMs,
      newId: () => `01a1f7dd-0000-7000-8000-${String((ids += 1)).padStart(12, '0')}`,
    },
    provider: sandboxProvider(),
    logger: silentLogger,
    webhooks: { sender: receiver },
    contextSecret: 'a secret of the reference, for its examples alone',
    ...options,
  });
  const account = await gateway.admin.createAccount({ name: 'reference' });
  const amountMicros = microsFromCredits('100');
  await gateway.admin.deposit({ accountId: account.id, amountMicros, reference: 'first' });
  const project = await gateway.admin.createProject({ accountId: account.id, name: 'reference' });
  const keys = new Map<string | undefined, string>();
  const keyOf = async (model: string | undefined): Promise<string> => {
    const known = keys.get(model);
    if (known !== undefined) return known;
    const made =
      project === null ? null : await gateway.admin.createKey({ projectId: project.id, model: model ?? null });
    if (made === null || made.key === null) throw new Error('no key was made');
    keys.set(model, made.key);
    return made.key;
  };
  const work = async (at?: string): Promise<void> => {
    if (at !== undefined) nowMs = Date.parse(at);
    for (let round = 0; round < roundsOfWork; round += 1) {
      await gateway.jobs.runDue();
      nowMs += pauseMs;
    }
  };
  return { gateway, base: `https://host.example${basePath}`, keyOf, work };
};

/** A request of an example with what came back. */
export interface Example {
  readonly route: Route['id'];
  readonly curl: string;
  readonly fetch: string;
  readonly status: number;
  readonly contentType: string;
  /** The text of the response; of a file, how long it is. */
  readonly body: string;
}

/** Sends one request in some way. */
export type Send = (ask: Ask, world: ExampleGateway, key: string) => Promise<Response>;

const routeOf = (id: Route['id']): Route => {
  const route = routes.find((one) => one.id === id);
  if (route === undefined) throw new Error(`no route ${id}`);
  return route;
};

const answerOf = ({ contents }: Route['success']): Ask['answer'] => {
  if ('application/json' in contents) return 'json';
  return 'text/event-stream' in contents ? 'text' : 'bytes';
};

/** The request of an example, below the base address. */
const askOf = (example: ExampleAsk, ids: Ids): Ask => {
  const { method, path, success } = routeOf(example.route);
  const named = path.replaceAll(/\{\w+\}/gu, example.id?.(ids) ?? '');
  return {
    method,
    path: example.query === undefined ? named : `${named}?${example.query}`,
    identity: example.identity,
    body: example.body?.(ids),
    answer: answerOf(success),
  };
};

const bodyOf = async (response: Response, { answer }: Ask): Promise<string> => {
  if (answer !== 'bytes' || !response.ok) return response.text();
  return `${(await response.arrayBuffer()).byteLength} bytes`;
};

/** The id of the record that a response has made: that of a chat is the id of its operation. */
const madeId = (named: Named, response: Response, body: string): string => {
  if (named === 'request') return response.headers.get('x-request-id') ?? '';
  const record: unknown = JSON.parse(body);
  if (typeof record !== 'object' || record === null || !('id' in record)) throw new Error(`no id in ${body}`);
  return String(record.id);
};

/** Before anything is made; an example that names what is not there yet is refused. */
const noIds = (): Record<Named, string> => ({
  file: '',
  cache: '',
  batch: '',
  video: '',
  store: '',
  document: '',
  environment: '',
  interaction: '',
  agent: '',
  webhook: '',
  trigger: '',
  request: '',
});

/** Sends every example in turn, and returns those that are shown. */
export const runExamples = async (world: ExampleGateway, send: Send): Promise<readonly Example[]> => {
  const ids = noIds();
  const shown: Example[] = [];
  for (const example of exampleAsks) {
    if (example.afterWork === true) await world.work(example.workAt);
    const ask = askOf(example, ids);
    const response = await send(ask, world, await world.keyOf(example.keyModel));
    const body = await bodyOf(response, ask);
    if (!response.ok) throw new Error(`${example.route} returns ${response.status}: ${body}`);
    if (example.makes !== undefined) ids[example.makes] = madeId(example.makes, response, body);
    if (example.isHidden === true) continue;
    const contentType = response.headers.get('content-type') ?? '';
    shown.push({
      route: example.route,
      curl: curlOf(ask),
      fetch: fetchOf(ask),
      status: response.status,
      contentType,
      body,
    });
  }
  return shown;
};
