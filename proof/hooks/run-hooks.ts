import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hostEventKinds } from '@tollgate/engine/decisions';
import type { OperationRecord } from '@tollgate/storage';
import type { Gateway } from 'tollgate';
import { killProcess, startProcess } from '../worker-process.ts';
import { openPlace, type HookPlace } from './hook-place.ts';
import { startListener, type HeardEvent, type Listener } from './listener.ts';

export interface HooksOptions extends HookPlace {
  readonly calls: number;
}

/** What a run found. `findings` must be empty. */
export interface HooksReport {
  readonly events: number;
  readonly heard: number;
  /** Workers that were killed while the host had an event of theirs in hand. */
  readonly kills: number;
  readonly findings: readonly string[];
}

const workersAtOnce = 2;
/** Every so many events that the host had not heard before, the worker that hands one over is killed before it can acknowledge it. */
const killEvery = 8;
/** Far longer than every lease of a run. */
const waitMsMax = 120_000;
const lookMs = 50;
/** Events that one process hands over at once. */
const inHandMax = 64;

const startWorker = async ({ kind, at }: HookPlace, port: number): Promise<ChildProcess> => {
  const { child } = await startProcess(path.join(import.meta.dirname, 'hook-worker.ts'), [kind, at, String(port)]);
  return child;
};

/** Workers, of which one is killed and replaced with every so many events. */
const createWorkers = (place: HookPlace) => {
  const alive = new Map<number, ChildProcess>();
  const replacements: Promise<void>[] = [];
  const known = new Set<string>();
  /** Events whose worker died with them in hand. */
  const orphaned: string[] = [];
  let isSpared = false;
  let sinceDeath = 0;
  let port = 0;
  const add = async (): Promise<void> => {
    const child = await startWorker(place, port);
    alive.set(child.pid ?? 0, child);
  };
  return {
    start: async (listenerPort: number): Promise<void> => {
      port = listenerPort;
      for (let count = 0; count < workersAtOnce; count += 1) await add();
    },
    /** Kills the sender of every so many events; resolves when it has gone. */
    dies: async ({ id, pid }: HeardEvent): Promise<boolean> => {
      const child = alive.get(pid);
      // What comes again kills no more, so that each event is taken at last.
      const isFresh = known.size < known.add(id).size;
      if (isFresh) sinceDeath += 1;
      if (isSpared || !isFresh || sinceDeath < killEvery || child === undefined) return false;
      sinceDeath = 0;
      alive.delete(pid);
      orphaned.push(id);
      await killProcess(child);
      replacements.push(add());
      return true;
    },
    /** Kills no more. */
    spare: (): void => {
      isSpared = true;
    },
    orphaned: (): readonly string[] => orphaned,
    stop: async (): Promise<void> => {
      await Promise.all(replacements);
      for (const child of alive.values()) await killProcess(child);
    },
  };
};

/** Calls that complete, and now and then one whose outcome is lost. */
const callAll = async (gateway: Gateway, calls: number): Promise<string> => {
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Hooks' });
  await gateway.admin.deposit({ accountId, amountMicros: 4_000_000_000n, reference: 'first' });
  const project = await gateway.admin.createProject({ accountId, name: 'Hooks' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  for (let call = 0; call < calls; call += 1) {
    const content = call % 10 === 9 ? '[[sandbox: unknown]]' : '[[sandbox: tokens in=20000 out=20000]]';
    await gateway.fetch(
      new Request('http://host/api/v1/ai/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${key?.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content }] }),
      }),
    );
  }
  return accountId;
};

const operationsOf = async (gateway: Gateway, accountId: string): Promise<readonly OperationRecord[]> => {
  const operations: OperationRecord[] = [];
  for (;;) {
    const page = await gateway.admin.listOperations({ kind: 'account', accountId }, operations.at(-1));
    if (page.length === 0) return operations;
    operations.push(...page);
  }
};

/** What the host must hear of operations, by kind and operation. */
const expectedOf = (operations: readonly OperationRecord[]): readonly string[] =>
  operations.flatMap(({ id, state }) => {
    if (state === 'completed') return [`settled ${id}`];
    return state === 'uncertain' ? [`uncertain ${id}`] : [];
  });

const nameOf = ({ of, requestId }: HeardEvent): string => `${of} ${requestId}`;

const missingOf = (expected: readonly string[], { heard }: Listener): readonly string[] => {
  const names = new Set(heard.map(nameOf));
  return expected.filter((name) => !names.has(name));
};

/** Events that the dead had in hand, and that did not come again so far. */
const untaken = (orphaned: readonly string[], { heard }: Listener): readonly string[] =>
  orphaned.filter((id) => heard.filter((event) => event.id === id).length < 2);

const untilTrue = async (isTrue: () => boolean): Promise<void> => {
  const giveUpMs = performance.now() + waitMsMax;
  while (!isTrue() && performance.now() < giveUpMs) await delay(lookMs);
};

/** The same event under two ids, or one id for two events. */
const confused = ({ heard }: Listener): readonly string[] => {
  const idsByName = Map.groupBy(
    heard.filter(({ of }) => of === 'settled' || of === 'uncertain'),
    nameOf,
  );
  const namesById = Map.groupBy(heard, ({ id }) => id);
  return [
    ...[...idsByName].flatMap(([name, events]) =>
      new Set(events.map(({ id }) => id)).size === 1 ? [] : [`${name} has several ids`],
    ),
    ...[...namesById].flatMap(([id, events]) =>
      new Set(events.map(nameOf)).size === 1 ? [] : [`${id} names several events`],
    ),
  ];
};

const judge = (expected: readonly string[], listener: Listener, orphaned: readonly string[]): readonly string[] => {
  const { heard } = listener;
  const repeated = heard.length - new Set(heard.map(({ id }) => id)).size;
  const findings = [
    ...missingOf(expected, listener).map((name) => `${name} was never heard`),
    ...untaken(orphaned, listener).map((id) => `${id} did not come again after its worker died`),
    ...confused(listener),
  ];
  for (const of of ['low_balance', 'threshold'] as const)
    if (!heard.some((event) => event.of === of)) findings.push(`no ${of} was heard`);
  // What a worker had in hand when it died comes again, and nothing else does.
  if (repeated > orphaned.length * inHandMax)
    findings.push(`${repeated} events came again after ${orphaned.length} deaths`);
  return findings;
};

/** Calls a gateway while workers of other processes take its events and are killed at it, and compares what the host heard with the ledger. */
export const runHooks = async ({ calls, ...place }: HooksOptions): Promise<HooksReport> => {
  // It writes the events, and has no function that takes them.
  const gateway = await openPlace(place, { events: hostEventKinds });
  const workers = createWorkers(place);
  const listener = await startListener(workers.dies);
  try {
    await workers.start(listener.port);
    const accountId = await callAll(gateway, calls);
    const expected = expectedOf(await operationsOf(gateway, accountId));
    await untilTrue(() => missingOf(expected, listener).length === 0);
    workers.spare();
    await untilTrue(() => untaken(workers.orphaned(), listener).length === 0);
    const { violations } = await gateway.admin.audit();
    const orphaned = workers.orphaned();
    const findings = [...judge(expected, listener, orphaned), ...violations.map(({ rule }) => `audit: ${rule}`)];
    return { events: expected.length, heard: listener.heard.length, kills: orphaned.length, findings };
  } finally {
    await workers.stop();
    await listener.close();
    await gateway.close({ drainMs: 0 });
  }
};
