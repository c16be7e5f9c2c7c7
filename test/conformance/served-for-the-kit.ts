import { startReceiver, startUpstream, type ConformanceOptions, type Upstream } from '@tollgate/conformance';
import { webhookSender } from '@tollgate/node';
import type { Storage } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import {
  createGateway,
  openaiProvider,
  sandboxProvider,
  serve,
  silentLogger,
  type Gateway,
  type GatewayOptions,
} from 'tollgate';

/** Models of every family that the kit tries, each with a key of its own. */
const models = [
  'flash-3.8',
  'flash-2.5',
  'embedding-2',
  'video-3.1-generate-preview',
  'omni-1.1-flash',
  'music-3.5',
  '3.5-transcribe',
  'flash-3.1-image',
  'flash-3.1-tts-preview',
  'flash-2.5-native-audio-latest',
  'music-realtime-exp',
];

const publicAddress = '93.184.215.14';

/** One delivery on its way to the receiver. */
export interface Delivery {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface ServedOptions {
  readonly storage?: Storage;
  readonly options?: GatewayOptions;
  /** Calls the upstream of the kit in place of the sandbox. */
  readonly callsUpstream?: boolean;
  /** Changes what is delivered, as a wrong gateway would. */
  readonly deliver?: (delivery: Delivery) => Delivery;
}

/** A gateway on a socket, and what the kit needs to try all of it. */
export interface Served {
  readonly base: string;
  readonly options: ConformanceOptions;
  readonly gateway: Gateway;
  readonly close: () => Promise<void>;
}

const credits = 1_000_000_000_000n;

const requireSome = <T>(value: T | null): T => {
  if (value === null) throw new Error('the owner of a key must exist');
  return value;
};

type Admin = Gateway['admin'];
type Keys = Pick<ConformanceOptions, 'keys' | 'otherKey' | 'poorKey' | 'refusedKeys'>;

/** A key of an account of its own, with credits where they are given. */
const openStranger = async (admin: Admin, amountMicros: bigint) => {
  const account = await admin.createAccount({ name: 'stranger' });
  if (amountMicros > 0n) await admin.deposit({ accountId: account.id, amountMicros, reference: 'stranger' });
  const project = requireSome(await admin.createProject({ accountId: account.id, name: 'stranger' }));
  const key = requireSome(await admin.createKey({ projectId: project.id, model: 'flash-3.8' }));
  return { accountId: account.id, projectId: project.id, keyId: key.id, key: key.key };
};

/** Keys that are refused, each for a reason of its own. */
const openRefused = async (admin: Admin): Promise<NonNullable<Keys['refusedKeys']>> => {
  const [revoked, inactive, paused, blocked, inContract] = await Promise.all(
    Array.from({ length: 5 }, () => openStranger(admin, credits)),
  );
  if (!revoked || !inactive || !paused || !blocked || !inContract) throw new Error('there must be five keys');
  await admin.setKeyStatus(revoked.keyId, 'revoked');
  await admin.setKeyStatus(inactive.keyId, 'inactive');
  await admin.setProjectStatus(paused.projectId, 'paused');
  await admin.setProjectStatus(blocked.projectId, 'blocked');
  await admin.setAccountStatus(inContract.accountId, 'inactive');
  return {
    revoked: revoked.key,
    inactive: inactive.key,
    paused: paused.key,
    blocked: blocked.key,
    'no-contract': inContract.key,
  };
};

const openKeys = async (admin: Admin): Promise<Keys> => {
  const account = await admin.createAccount({ name: 'kit' });
  await admin.deposit({ accountId: account.id, amountMicros: credits, reference: 'kit' });
  const project = requireSome(await admin.createProject({ accountId: account.id, name: 'kit' }));
  const other = requireSome(await admin.createProject({ accountId: account.id, name: 'other' }));
  const keys: string[] = [];
  for (const model of models) keys.push(requireSome(await admin.createKey({ projectId: project.id, model })).key);
  keys.push(requireSome(await admin.createKey({ projectId: project.id, model: null })).key);
  const otherKey = requireSome(await admin.createKey({ projectId: other.id, model: 'flash-3.8' })).key;
  const { key: poorKey } = await openStranger(admin, 0n);
  return { keys, otherKey, poorKey, refusedKeys: await openRefused(admin) };
};

/** Delivers to the receiver of the kit, and judges addresses as usual. */
const senderTo = (port: () => number, deliver: (delivery: Delivery) => Delivery) => {
  const usual = webhookSender({ resolve: () => Promise.resolve([publicAddress]) });
  return {
    ...usual,
    send: async (delivery: Delivery) => {
      const { url, headers, body } = deliver(delivery);
      const answer = await fetch(`http://127.0.0.1:${port()}${new URL(url).pathname}`, {
        method: 'POST',
        headers,
        body,
        redirect: 'manual',
      });
      return { kind: 'answered', status: answer.status, retryAfterMs: null } as const;
    },
  };
};

export const serveForTheKit = async (served: ServedOptions = {}): Promise<Served> => {
  const receiver = await startReceiver({ url: 'https://hooks.example.com', port: 0 });
  const upstream: Upstream | undefined = served.callsUpstream === true ? await startUpstream(0) : undefined;
  const gateway = await createGateway({
    storage: served.storage ?? memoryStorage({ disk: createMemoryDisk() }),
    provider: upstream === undefined ? sandboxProvider() : openaiProvider({ baseUrl: upstream.url }),
    logger: silentLogger,
    limits: { sweepMs: 500 },
    webhooks: { sender: senderTo(() => receiver.port, served.deliver ?? ((delivery) => delivery)) },
    ...served.options,
  });
  const keys = await openKeys(gateway.admin);
  const server = await serve(gateway, { port: 0, drainMs: 0 });
  const base = `${server.origin}/api/v1/ai`;
  return {
    base,
    gateway,
    options: { base, ...keys, receiver, upstream },
    close: async () => {
      await server.close();
      await receiver.close();
      await upstream?.close();
    },
  };
};
