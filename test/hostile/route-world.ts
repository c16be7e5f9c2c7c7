import { expect } from 'vitest';
import type { routes } from '../../packages/contract/src/index.ts';
import { webhookSender } from '../../packages/node/src/index.ts';
import type { Storage } from '../../packages/storage/src/index.ts';
import type { GatewayOptions } from '../../packages/tollgate/src/index.ts';
import { startGateway, type RunningGateway } from '../clients/running-gateway.ts';
import {
  collectionOf,
  creations,
  namedIds,
  namedKinds,
  seedModels,
  type NamedIds,
  type NamedKind,
  type SeedModel,
} from './route-seeds.ts';

export type RouteRow = (typeof routes)[number];

/** One request, its target below the base path exactly as given. */
export interface HostileAsk {
  readonly method: string;
  readonly target: string;
  readonly key: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface HostileAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** How the gateway is asked: over a socket, or as a function. */
export type Way = 'socket' | 'function';

export interface RouteWorld {
  readonly running: RunningGateway;
  readonly ids: NamedIds;
  readonly keyOf: (model: SeedModel) => string;
  readonly keys: readonly string[];
  /** A key of another account, bound to no model. */
  readonly strangerKey: string;
  /** Another one of the same account. */
  readonly newStrangerKey: (model: SeedModel) => Promise<string>;
  readonly ask: (way: Way, ask: HostileAsk) => Promise<HostileAnswer>;
  /** Does what is due until nothing is under way any more. */
  readonly settle: () => Promise<void>;
}

/** Longer than this nothing may be silent, however busy the machine is. */
const silenceMs = 45_000;

const toRequest = (base: string, { method, target, key, headers = {}, body }: HostileAsk): Request =>
  new Request(`${base}${target}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    redirect: 'manual',
  });

const inTime = async <T>(work: Promise<T>, what: string): Promise<T> => {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer to ${what}`)), silenceMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
};

const answerOf = async (response: Response): Promise<HostileAnswer> => ({
  status: response.status,
  headers: response.headers,
  text: await response.text(),
});

/** Judges addresses as ever, with a name server that knows every name; nothing is ever sent. */
const silentSender = (): NonNullable<Exclude<GatewayOptions['webhooks'], false>> => {
  const judge = webhookSender({ resolve: () => Promise.resolve(['93.184.215.14']) });
  return {
    sender: {
      check: (url) => judge.check(url),
      send: () => Promise.resolve({ kind: 'answered', status: 204, retryAfterMs: null }),
      close: () => judge.close(),
    },
  };
};

const idOf = (answer: HostileAnswer): string => {
  expect([200, 201], answer.text).toContain(answer.status);
  const { id } = JSON.parse(answer.text) as { readonly id: string };
  return id;
};

type Asking = Pick<RouteWorld, 'ask' | 'keyOf'>;

const createAll = async ({ ask, keyOf }: Asking): Promise<NamedIds> => {
  const ids: Partial<Record<NamedKind, string>> = {};
  for (const [kind, target, model, body] of creations)
    ids[kind] = idOf(
      await ask('function', { method: 'POST', target, key: keyOf(model), body: JSON.stringify(body(ids)) }),
    );
  return namedIds((kind) => ids[kind === 'request' ? 'interaction' : kind] ?? '');
};

type NewKey = (model: string | null) => Promise<string>;

const newStranger = async ({ gateway: { admin } }: RunningGateway): Promise<NewKey> => {
  const account = await admin.createAccount({ name: 'Stranger' });
  await admin.deposit({ accountId: account.id, amountMicros: 1_000_000_000n, reference: 'stranger' });
  const project = await admin.createProject({ accountId: account.id, name: 'Stranger' });
  return async (model) => {
    const created = await admin.createKey({ projectId: project?.id ?? '', model });
    if (created === null) throw new Error('the key was not created');
    return created.key;
  };
};

const underWay: ReadonlySet<string> = new Set(['preparing', 'reserved', 'processing', 'cancelling', 'settling']);
/** Rounds of jobs; each waits for the work that it began. */
const roundsMax = 40;

/** Whether anything but what is meant to stay (a cache, a session that was not begun) is under way. */
const isBusy = async ({ ask, keyOf }: Asking): Promise<boolean> => {
  for (const path of ['/batches', '/videos', '/documents', '/interactions']) {
    const { text } = await ask('function', { method: 'GET', target: path, key: keyOf('text') });
    const { data } = JSON.parse(text) as { readonly data: readonly { readonly status: string }[] };
    if (data.some(({ status }) => underWay.has(status))) return true;
  }
  return false;
};

/** Starts a gateway with one record of every kind, which one project has and another one has not. */
export const openRouteWorld = async (
  storage: Storage,
  options: Pick<GatewayOptions, 'compatibility'> = {},
): Promise<RouteWorld> => {
  const running = await startGateway({ options: { ...options, storage, webhooks: silentSender() }, model: null });
  const keys = new Map<SeedModel, string>();
  for (const [name, model] of Object.entries(seedModels))
    // The names are those of the table itself.
    keys.set(name as SeedModel, await running.newKey(model));
  const ask: RouteWorld['ask'] = (way, asked) => {
    const base = way === 'socket' ? running.baseUrl : 'http://gateway.test/api/v1/ai';
    const send = way === 'socket' ? fetch : running.gateway.fetch;
    return inTime(send(toRequest(base, asked)).then(answerOf), `${asked.method} ${asked.target}`);
  };
  const asking: Asking = { ask, keyOf: (model) => keys.get(model) ?? '' };
  const settle = async (): Promise<void> => {
    for (let round = 0; round < roundsMax; round += 1) {
      await running.gateway.jobs.runDue();
      if (!(await isBusy(asking))) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    throw new Error('the work did not come to an end');
  };
  const ids = await createAll(asking);
  await settle();
  const newKey = await newStranger(running);
  const strangerKey = await newKey(null);
  return {
    running,
    ids,
    ...asking,
    keys: [...keys.values(), running.key, strangerKey],
    strangerKey,
    newStrangerKey: (model) => newKey(seedModels[model]),
    settle,
  };
};

/** The kind whose id a path takes, or null for models. */
export const kindOfPath = (path: string): NamedKind | null => {
  const noun = /^\/(\w+)\/\{\w+\}/.exec(path)?.[1];
  return namedKinds.find((kind) => collectionOf(kind) === noun) ?? null;
};

/** A path of the table with the text in place of its parameter. */
export const targetOf = (row: RouteRow, parameter: string): string => row.path.replace(/\{\w+\}/, () => parameter);
