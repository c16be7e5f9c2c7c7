import { Agent, request as ask } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { TortureAccount } from '../torture/accounts.ts';
import type { Random } from '../torture/random.ts';
import type { GatewayProcess } from './gateway-process.ts';
import { model } from './soak-setup.ts';
import type { SoakFate } from './soak-upstream.ts';

export interface SoakLoadOptions {
  readonly gateways: readonly GatewayProcess[];
  readonly accounts: readonly TortureAccount[];
  readonly clients: number;
  readonly random: Random;
}

export interface SoakLoad {
  /** Requests answered so far. */
  answered(): number;
  /** Responses by kind of request and status; 0 counts broken connections. */
  readonly told: ReadonlyMap<string, number>;
  stop(): Promise<void>;
}

interface SoakRequest {
  readonly identity: string;
  readonly key: string;
  readonly body: string;
  readonly kind: string;
}

/** Of a hundred requests: so many are streamed, repeated, sent with another body, and so on; the rest are plain. */
const shares: readonly (readonly [kind: string, share: number, fate: SoakFate])[] = [
  ['stream', 0.25, 'quick'],
  ['slow', 0.02, 'slow'],
  ['big', 0.03, 'big'],
  ['refused', 0.04, 'refused'],
  ['lost', 0.02, 'lost'],
  ['unmeasured', 0.02, 'unmeasured'],
];
const repeatedShare = 0.15;
const otherBodyShare = 0.02;
const depositShare = 0.02;
const recentMax = 256;

const drawKind = (random: Random): readonly [kind: string, fate: SoakFate] => {
  let at = random.next();
  for (const [kind, share, fate] of shares) {
    if (at < share) return [kind, fate];
    at -= share;
  }
  return ['plain', 'quick'];
};

/** Names identities apart from those of every other run on the same store. */
const createRequests = ({ accounts, random }: SoakLoadOptions) => {
  const run = crypto.randomUUID();
  const recent: SoakRequest[] = [];
  let count = 0;
  const fresh = (): SoakRequest => {
    count += 1;
    const [kind, fate] = drawKind(random);
    const content = `request ${count} fate:${fate}`;
    const body = { model, messages: [{ role: 'user', content }], ...(kind === 'stream' ? { stream: true } : {}) };
    const { key = '' } = accounts[random.below(accounts.length)] ?? {};
    const request = { identity: `${run}-${count}`, key, body: JSON.stringify(body), kind };
    if (recent.length < recentMax) recent.push(request);
    else recent[random.below(recentMax)] = request;
    return request;
  };
  return (): SoakRequest => {
    const at = random.next();
    const earlier = recent[random.below(recent.length)];
    if (earlier === undefined || at >= repeatedShare + otherBodyShare) return fresh();
    if (at < repeatedShare) return { ...earlier, kind: 'repeat' };
    return { ...earlier, kind: 'other body', body: earlier.body.replace('request', 'another request') };
  };
};

/** Returns the status when the whole body was read, or 0. */
const send = (agent: Agent, origin: string, { identity, key, body }: SoakRequest): Promise<number> =>
  new Promise((resolve) => {
    const headers = {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': identity,
    };
    const request = ask(`${origin}/api/v1/ai/chat/completions`, { agent, method: 'POST', headers }, (response) => {
      response.on('end', () => resolve(response.statusCode ?? 0));
      response.on('error', () => resolve(0));
      response.resume();
    });
    request.on('error', () => resolve(0));
    request.end(body);
  });

/** Holds a mixed load on the gateways until it is stopped. */
export const startSoakLoad = async (options: SoakLoadOptions): Promise<SoakLoad> => {
  const { gateways, accounts, clients, random } = options;
  const origins = await Promise.all(gateways.map((gateway) => gateway.origin));
  const agent = new Agent({ keepAlive: true });
  const next = createRequests(options);
  const told = new Map<string, number>();
  let answered = 0;
  let deposits = 0;
  const stopped = new AbortController();
  const deposit = (): void => {
    const account = accounts[random.below(accounts.length)];
    deposits += 1;
    if (account !== undefined) gateways[random.below(gateways.length)]?.deposit(account.accountId, `soak-${deposits}`);
  };
  const askOnce = async (): Promise<void> => {
    if (random.chance(depositShare)) deposit();
    const request = next();
    const status = await send(agent, origins[random.below(origins.length)] ?? '', request);
    answered += 1;
    const what = `${request.kind} ${status}`;
    told.set(what, (told.get(what) ?? 0) + 1);
    // A gateway that is gone answers at once.
    if (status === 0) await delay(100);
  };
  const client = async (): Promise<void> => {
    while (!stopped.signal.aborted) await askOnce();
  };
  const asking = Promise.all(Array.from({ length: clients }, client));
  return {
    answered: () => answered,
    told,
    stop: async () => {
      stopped.abort();
      await asking;
      agent.destroy();
    },
  };
};
