import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { TortureAccount } from './accounts.ts';
import { sendChat, type ClientRequest } from './client.ts';
import { noteAnswer, type Facts } from './ledger-of-facts.ts';
import type { Random } from './random.ts';
import type { Victims } from './victims.ts';
import type { Fate } from './reference-upstream.ts';

export interface LoadOptions {
  readonly accounts: readonly TortureAccount[];
  readonly facts: Facts;
  readonly random: Random;
  /** Who is asked. */
  readonly victims: Pick<Victims, 'origin' | 'deposit'>;
}

export interface Load {
  /** Stops asking and waits for the answers under way. */
  stop(): Promise<void>;
}

const clients = 24;
const repeatedShare = 0.25;
const otherBodyShare = 0.05;
const depositShare = 0.02;
const depositMicros = 300_000n;
/** Requests that a repetition is chosen from. */
const recentMax = 64;
const noGatewayMs = 5;
/** Between two requests of a client, so that a run is about deaths and not about the number of requests. */
const pauseMsMax = 40;

const fateOf = (random: Random): Fate => {
  const at = random.next();
  if (at < 0.06) return 'slow';
  if (at < 0.08) return 'refused';
  if (at < 0.09) return 'lost';
  return at < 0.1 ? 'unmeasured' : 'quick';
};

/** Chooses requests: new ones, ones sent before, and ones sent before with another body. */
const createRequests = ({ accounts, random }: LoadOptions) => {
  const recent: ClientRequest[] = [];
  let count = 0;
  const fresh = (): ClientRequest => {
    count += 1;
    const account = accounts[random.below(accounts.length)];
    const identity = `id-${count}`;
    const request = { identity, marker: `${identity}-a`, fate: fateOf(random), key: account?.key ?? '' };
    if (recent.length < recentMax) recent.push(request);
    else recent[random.below(recentMax)] = request;
    return request;
  };
  return (): ClientRequest => {
    const earlier = random.chance(repeatedShare) ? recent[random.below(recent.length)] : undefined;
    if (earlier === undefined) return fresh();
    return random.chance(otherBodyShare / repeatedShare) ? { ...earlier, marker: `${earlier.identity}-b` } : earlier;
  };
};

/** Asks from many clients at once, without a pause, until it is stopped. */
export const startLoad = (options: LoadOptions): Load => {
  const { accounts, facts, random, victims } = options;
  const agent = new Agent({ keepAlive: true });
  const nextRequest = createRequests(options);
  const poor = accounts.find((account) => account.poor);
  const stopped = new AbortController();
  let deposits = 0;
  const topUp = (): void => {
    if (poor === undefined || !random.chance(depositShare)) return;
    deposits += 1;
    victims.deposit(poor.accountId, depositMicros, `deposit-${deposits}`);
  };
  const askOnce = async (): Promise<void> => {
    const at = victims.origin();
    if (at === null) {
      await delay(noGatewayMs);
      return;
    }
    topUp();
    const request = nextRequest();
    noteAnswer(facts, request, await sendChat(agent, at, request));
    await delay(random.below(pauseMsMax));
  };
  const client = async (): Promise<void> => {
    while (!stopped.signal.aborted) await askOnce();
  };
  const asking = Promise.all(Array.from({ length: clients }, client));
  return {
    stop: async () => {
      stopped.abort();
      await asking;
      agent.destroy();
    },
  };
};
