import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { send, type Call, type ClientAnswer } from '../torture/client.ts';
import type { Random } from '../torture/random.ts';
import type { Victims } from '../torture/victims.ts';
import { askingKey, type KindsFacts } from './kinds-facts.ts';
import type { Ground, Way } from './ways.ts';

export interface KindsLoadOptions {
  readonly ground: Ground;
  readonly facts: KindsFacts;
  readonly random: Random;
  readonly ways: readonly Way[];
  /** Clients of each way. */
  readonly clients: number;
  readonly victims: Pick<Victims, 'origin'>;
}

export interface KindsLoad {
  /** Stops asking; waits for the answers under way. */
  stop(): Promise<void>;
}

const noGatewayMs = 10;
const lookMs = 400;
/** Then a client leaves what it asked for to itself. */
const followLooksMax = 25;

/** Everything that one client needs. */
interface Client {
  readonly options: KindsLoadOptions;
  readonly way: Way;
  readonly agent: Agent;
  readonly stopped: AbortSignal;
}

/** Statuses that a client of this load may see: a resource may be in use, gone, or its creation have failed meanwhile. */
const expected: Readonly<Record<Call['method'], ReadonlySet<number>>> = {
  POST: new Set([200, 409, 503]),
  GET: new Set([200, 503]),
  PATCH: new Set([200, 404, 409, 503]),
  DELETE: new Set([200, 404, 409, 503]),
};

const noteAnswer = ({ facts }: KindsLoadOptions, { method, path }: Call, answer: ClientAnswer): void => {
  const status = answer?.status ?? 0;
  facts.statuses.set(status, (facts.statuses.get(status) ?? 0) + 1);
  if (answer !== null && !expected[method].has(status))
    facts.violations.push(`${method} ${path}: status ${status}: ${answer.body}`);
};

interface Asked {
  readonly path: string;
  readonly body?: unknown;
  readonly identity?: string;
}

/** Asks any listening process, until a whole response comes; null where the load has stopped before. */
const ask = async (client: Client, method: Call['method'], { path, body, identity }: Asked) => {
  const { options, way, agent, stopped } = client;
  const { facts, ground, victims } = options;
  const headers = {
    authorization: `Bearer ${ground.keys[way.model]}`,
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(identity === undefined ? {} : { 'idempotency-key': identity }),
  };
  const call: Call = { method, path, headers, body: body === undefined ? '' : JSON.stringify(body) };
  while (!stopped.aborted) {
    const origin = victims.origin();
    if (origin === null) {
      await delay(noGatewayMs);
      continue;
    }
    const asking = askingKey(way.name, origin);
    const count = (by: number): void => void facts.asking.set(asking, (facts.asking.get(asking) ?? 0) + by);
    if (method !== 'GET') count(1);
    const answer = await send(agent, origin, call);
    if (method !== 'GET') count(-1);
    noteAnswer(options, call, answer);
    if (answer !== null && answer.status !== 503) return answer;
    await delay(noGatewayMs);
  }
  return null;
};

interface Shown {
  readonly id: string;
  readonly status: string;
}

const shown = (body: string): Shown =>
  // A record of the gateway; what is compared of it is a text or is not equal.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  JSON.parse(body) as Shown;

const repeatedShare = 0.2;

/** Creates one; sometimes the same request is sent again, and must find the same resource. */
const create = async (client: Client, identity: string): Promise<string | null> => {
  const { options, way } = client;
  const { facts, ground, random } = options;
  const body = way.body(ground, random);
  const answer = await ask(client, 'POST', { path: way.path, body, identity });
  if (answer?.status !== 200) return null;
  const { id } = shown(answer.body);
  facts.created += 1;
  facts.begun.add(way.name);
  if (random.chance(repeatedShare)) {
    const again = await ask(client, 'POST', { path: way.path, body, identity });
    if (again?.status === 200 && shown(again.body).id !== id)
      facts.violations.push(`${way.name} ${identity}: created as ${id}, and again as ${shown(again.body).id}`);
  }
  return id;
};

const ends = new Set(['completed', 'failed', 'requires_action', 'expired']);

/** Looks at it until it has ended; what it returned then is true for good. */
const follow = async (client: Client, id: string, until: ReadonlySet<string>): Promise<void> => {
  const { options, way, stopped } = client;
  for (let looks = 0; looks < followLooksMax && !stopped.aborted; looks += 1) {
    const answer = await ask(client, 'GET', { path: `${way.path}/${id}` });
    if (answer?.status !== 200) return;
    const { status } = shown(answer.body);
    if (ends.has(status)) {
      const key = options.ground.keys[way.model] ?? '';
      options.facts.ended.set(id, { id, way: way.name, path: way.path, key, body: answer.body });
    }
    if (until.has(status) || status === 'uncertain') return;
    await delay(lookMs / 2 + options.random.below(lookMs));
  }
};

const until = new Set([...ends, 'uncertain']);
const untilUsable = new Set([...until, 'active']);
const patchedTtlSeconds = 3;

const liveOnce = async (client: Client, identity: string): Promise<void> => {
  const { options, way } = client;
  const { facts, random } = options;
  const id = await create(client, identity);
  if (id === null) return;
  const habit = (share = 0): boolean => random.chance(share / 100);
  const one = `${way.path}/${id}`;
  if (habit(way.habits.cancel)) {
    await delay(random.below(lookMs));
    await ask(client, 'POST', { path: `${one}/cancel` });
  }
  const removes = habit(way.habits.remove);
  const patches = habit(way.habits.patch);
  if (!way.isFree) await follow(client, id, removes || patches ? untilUsable : until);
  if (patches) {
    facts.changed.add(id);
    await ask(client, 'PATCH', { path: one, body: { ttl_seconds: patchedTtlSeconds } });
  }
  if (!removes) return;
  facts.removed.add(id);
  await ask(client, 'DELETE', { path: one });
};

/** Free ones are made without end: they are slowed down, so that a run is about deaths. */
const freePauseMs = 60;
/** The others that are brief are asked for by more clients. */
const briefFactor = 3;

const clientsOf = ({ isFree, isBrief }: Way, clients: number): number => {
  if (isFree) return 1;
  return isBrief ? briefFactor * clients : clients;
};

/** Creates resources of each way from several clients at once until it is stopped. */
export const startKindsLoad = (options: KindsLoadOptions): KindsLoad => {
  const agent = new Agent({ keepAlive: true });
  const stopped = new AbortController();
  let count = 0;
  const client = async (way: Way): Promise<void> => {
    while (!stopped.signal.aborted) {
      count += 1;
      await liveOnce({ options, way, agent, stopped: stopped.signal }, `id-${count}`);
      if (way.isFree) await delay(options.random.below(freePauseMs));
    }
  };
  const asking = Promise.all(
    options.ways.flatMap((way) => Array.from({ length: clientsOf(way, options.clients) }, () => client(way))),
  );
  return {
    stop: async () => {
      stopped.abort();
      await asking;
      agent.destroy();
    },
  };
};
