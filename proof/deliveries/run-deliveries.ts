import { createAddressResolver } from '@tollgate/node';
import type { DeliveryRecord } from '@tollgate/storage';
import { createMemoryDisk, memoryStorage } from '@tollgate/storage-memory';
import { startFakeNameServer, type NameAnswer } from '@tollgate/testing/fakes';
import { createGateway, silentLogger, type Gateway } from 'tollgate';
import { seededRandom } from '../model/random.ts';
import { forbiddenAddresses, publicAddresses } from './public-address.ts';
import { conducts, startReceivers, type Conduct, type Receivers } from './receivers.ts';

export interface DeliveriesOptions {
  /** Each with one webhook of every conduct. */
  readonly projects: number;
  /** Of each project; each is for every webhook. */
  readonly events: number;
  /** How long an attempt may take. */
  readonly attemptMs: number;
  readonly seed: number;
}

/** What a run found. `findings` must be empty. */
export interface DeliveriesReport {
  readonly deliveries: number;
  readonly posts: number;
  readonly delivered: number;
  readonly failed: number;
  readonly skipped: number;
  readonly triesMax: number;
  /** Connections to addresses that are not public. */
  readonly forbidden: number;
  /** Deliveries that hung when the last event had reached everybody who is honest. */
  readonly hungMeanwhile: number;
  readonly seconds: number;
  readonly findings: readonly string[];
}

const spreadMs = 1_000;
const base = 'http://gateway.test/api/v1/ai';

interface Project {
  readonly key: string;
  readonly hooks: ReadonlyMap<Conduct, string>;
}

const post = async (gateway: Gateway, key: string, path: string, body: unknown): Promise<unknown> => {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const response = await gateway.fetch(
    new Request(`${base}${path}`, { method: 'POST', headers, body: JSON.stringify(body) }),
  );
  if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
};

const idOf = (body: unknown): string =>
  typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : '';

const createProject = async (gateway: Gateway, accountId: string, at: number): Promise<Project> => {
  const project = await gateway.admin.createProject({ accountId, name: `Project ${at}` });
  const key = project === null ? null : await gateway.admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  if (key === null) throw new Error('no key was created');
  const hooks = new Map<Conduct, string>();
  for (const conduct of conducts) {
    const url = `https://${conduct}-${at}.example.com/hook`;
    hooks.set(conduct, idOf(await post(gateway, key.key, '/webhooks', { url })));
  }
  return { key: key.key, hooks };
};

/** Names of receivers lead to public addresses; those that rebind do so until they are registered, and then as they like. */
const createNames = (seed: number) => {
  const random = seededRandom(seed);
  let isRebinding = false;
  const pick = (list: readonly string[]): string => list[random.int(list.length)] ?? '';
  const answer = (name: string): NameAnswer => {
    if (name.startsWith('inside')) return { kind: 'addresses', addresses: [pick(forbiddenAddresses)] };
    const address = pick(publicAddresses);
    if (!isRebinding || !name.startsWith('rebind')) return { kind: 'addresses', addresses: [address] };
    switch (random.int(3)) {
      case 0:
        return { kind: 'addresses', addresses: [pick(forbiddenAddresses)] };
      case 1:
        return { kind: 'addresses', addresses: [address, pick(forbiddenAddresses)] };
      default:
        return { kind: 'addresses', addresses: [address] };
    }
  };
  return {
    answer,
    rebind: () => {
      isRebinding = true;
    },
  };
};

type Rows = ReadonlyMap<Conduct, readonly DeliveryRecord[]>;

const isGood = (conduct: Conduct): boolean => conduct === 'honest' || conduct === 'flaky';

const judge = (rows: Rows, { tries, acknowledged, forbidden }: Receivers, events: number): readonly string[] => {
  const findings: string[] = [];
  const demand = (isSo: boolean, finding: string): void => void (isSo || findings.push(finding));
  demand(forbidden() === 0, `${forbidden()} connections to addresses that are not public`);
  for (const [key, count] of tries) demand(count <= 8, `${key} was tried ${count} times`);
  const good = [...acknowledged].filter((key) => isGood(key.split('-')[0] === 'flaky' ? 'flaky' : 'honest'));
  demand(good.length === 2 * events, `${good.length} of ${2 * events} events reached the honest`);
  for (const [conduct, deliveries] of rows) {
    demand(deliveries.length === events, `${conduct}: ${deliveries.length} deliveries of ${events}`);
    const wanted = isGood(conduct) ? 'delivered' : conduct === 'rebind' ? 'skipped' : 'failed';
    const others = deliveries.filter(
      ({ status }) => status !== wanted && !(conduct === 'rebind' && status === 'failed'),
    );
    demand(others.length === 0, `${conduct}: ${others.length} are not ${wanted}, but ${others[0]?.status ?? ''}`);
  }
  return findings;
};

/**
 * Sends events to receivers that fail, hang, redirect, drip, break off and rebind beside honest ones, over TLS, with names from a
 * DNS of its own, through the whole schedule of attempts, and checks: at least once each for the honest, never more than eight
 * tries, no connection to an address that is not public, and no receiver delayed by a slow one.
 */
export const runDeliveries = async (options: DeliveriesOptions): Promise<DeliveriesReport> => {
  const { projects, events, attemptMs, seed } = options;
  const receivers = await startReceivers();
  const names = createNames(seed);
  const dns = await startFakeNameServer(names.answer);
  let nowMs = Date.now();
  const storage = memoryStorage({ disk: createMemoryDisk(), now: () => nowMs });
  const gateway = await createGateway({
    storage,
    tariff: {
      version: 'deliveries-1',
      models: { '*': { perMillion: { input_text_tokens: '1', output_text_tokens: '4' } } },
    },
    webhooks: {
      attemptMs,
      resolve: createAddressResolver({ servers: [dns.server] }),
      connect: receivers.connect,
      certificates: receivers.certificates,
    },
    logger: silentLogger,
    world: { wallClockMs: () => nowMs },
  });
  const startedMs = performance.now();
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Deliveries' });
  await gateway.admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: 'first' });
  const made: Project[] = [];
  for (let at = 0; at < projects; at += 1) made.push(await createProject(gateway, accountId, at));
  names.rebind();
  for (let at = 0; at < events; at += 1)
    for (const { key } of made)
      await post(gateway, key, '/chat/completions', { messages: [{ role: 'user', content: 'Hello' }] });
  const readRows = async (): Promise<Rows> => {
    const rows = new Map<Conduct, DeliveryRecord[]>(conducts.map((conduct) => [conduct, []]));
    for (const { hooks } of made)
      for (const [conduct, id] of hooks)
        rows.get(conduct)?.push(...(await storage.list('deliveriesByWebhook', { of: id, limit: 100 })));
    return rows;
  };
  let hungMeanwhile = 0;
  for (;;) {
    await gateway.jobs.runDue();
    const rows = await readRows();
    const pending = [...rows.values()].flat().filter(({ status }) => status === 'pending');
    const isHonestDone = rows.get('honest')?.every(({ status }) => status === 'delivered') === true;
    if (isHonestDone && hungMeanwhile === 0)
      hungMeanwhile = rows.get('hang')?.filter(({ status }) => status === 'pending').length ?? 0;
    if (pending.length === 0) break;
    const waitMs = Math.max(0, pending.reduce((least, { dueAtMs }) => Math.min(least, dueAtMs ?? 0), Infinity) - nowMs);
    // Waits are spread: what is due soon after the first is sent with it.
    nowMs += Math.ceil(waitMs * 1.25) + spreadMs;
  }
  const rows = await readRows();
  const all = [...rows.values()].flat();
  const countOf = (status: DeliveryRecord['status']): number => all.filter((row) => row.status === status).length;
  const findings = judge(rows, receivers, events * projects);
  await gateway.close();
  dns.close();
  await receivers.close();
  return {
    deliveries: all.length,
    posts: [...receivers.tries.values()].reduce((sum, count) => sum + count, 0),
    delivered: countOf('delivered'),
    failed: countOf('failed'),
    skipped: countOf('skipped'),
    triesMax: Math.max(...receivers.tries.values()),
    forbidden: receivers.forbidden(),
    hungMeanwhile,
    seconds: (performance.now() - startedMs) / 1_000,
    findings,
  };
};
