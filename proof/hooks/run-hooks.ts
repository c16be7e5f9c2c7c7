import { setTimeout as delay } from 'node:timers/promises';
import { hostEventKinds } from '@tollgate/engine/decisions';
import { listRowsMax, type OperationRecord, type Storage } from '@tollgate/storage';
import type { Gateway } from 'tollgate';
import { openPlace, type HookPlace } from './hook-place.ts';
import { acknowledgedOf, judgeHeard, missingOf, untakenOf } from './judge-heard.ts';
import { startListener, type Listener } from './listener.ts';
import { createWorkers } from './workers.ts';

export interface HooksOptions extends HookPlace {
  readonly calls: number;
  /** The name of a mutant that the workers carry; the run ends with the first event that shows it. */
  readonly mutant?: string;
}

/** What a run found. `findings` must be empty. */
export interface HooksReport {
  readonly events: number;
  readonly heard: number;
  /** Workers that were killed while the host had an event of theirs in hand. */
  readonly kills: number;
  readonly findings: readonly string[];
}

/** Far longer than every lease of a run. */
const waitMsMax = 120_000;
const lookMs = 50;

/** Of every ten calls, one whose outcome is lost, and one that uses more than was reserved for it: an anomaly. */
const contentOf = (call: number): string => {
  if (call % 10 === 9) return '[[sandbox: unknown]]';
  return `[[sandbox: tokens in=20000 out=${call % 10 === 4 ? 70_000 : 20_000}]]`;
};

const callAll = async (gateway: Gateway, calls: number): Promise<string> => {
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Hooks' });
  await gateway.admin.deposit({ accountId, amountMicros: 4_000_000_000n, reference: 'first' });
  const project = await gateway.admin.createProject({ accountId, name: 'Hooks' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-2.5' });
  for (let call = 0; call < calls; call += 1)
    await gateway.fetch(
      new Request('http://host/api/v1/ai/chat/completions', {
        method: 'POST',
        headers: { authorization: `Bearer ${key?.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ messages: [{ role: 'user', content: contentOf(call) }] }),
      }),
    );
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

const anomaliesOf = async (storage: Storage): Promise<readonly string[]> =>
  (await storage.list('anomalies', { of: '', limit: listRowsMax })).map(({ operationId }) => `anomaly ${operationId}`);

/** What the host must hear of operations and anomalies, by kind and operation. */
const expectedOf = async (gateway: Gateway, storage: Storage, accountId: string): Promise<readonly string[]> => {
  const ends = (await operationsOf(gateway, accountId)).flatMap(({ id, state }) => {
    if (state === 'completed') return [`settled ${id}`];
    return state === 'uncertain' ? [`uncertain ${id}`] : [];
  });
  return [...ends, ...(await anomaliesOf(storage))];
};

const untilTrue = async (isTrue: () => boolean | Promise<boolean>): Promise<void> => {
  const giveUpMs = performance.now() + waitMsMax;
  while (!(await isTrue()) && performance.now() < giveUpMs) await delay(lookMs);
};

/** The events of those heard that no worker has acknowledged yet. */
const onRecordOf = async (storage: Storage, { heard }: Listener): Promise<readonly string[]> => {
  const ids = [...new Set(heard.map(({ id }) => id))];
  const records = await storage.read(ids.map((id) => ({ table: 'hostEvent', id }) as const));
  return ids.filter((id) => records.get('hostEvent', id) !== undefined);
};

/** Calls a gateway while workers of other processes take its events and are killed at it, and compares what the host heard with the ledger. */
export const runHooks = async ({ calls, mutant = '', ...place }: HooksOptions): Promise<HooksReport> => {
  // It writes the events, and has no function that takes them.
  const { gateway, storage } = await openPlace(place, { events: hostEventKinds });
  const workers = createWorkers({ ...place, mutant });
  const isOnRecord = async (id: string): Promise<boolean> =>
    (await storage.read([{ table: 'hostEvent', id }])).get('hostEvent', id) !== undefined;
  const listener = await startListener({ isOnRecord, dies: workers.dies });
  const { heard } = listener;
  const isShown = (): boolean => acknowledgedOf(heard).length > 0;
  try {
    await workers.start(listener.port);
    const expected = await expectedOf(gateway, storage, await callAll(gateway, calls));
    await untilTrue(() => isShown() || missingOf({ expected, heard }).length === 0);
    workers.spare();
    const orphaned = workers.orphaned();
    await untilTrue(() => isShown() || untakenOf({ heard, orphaned }).length === 0);
    await untilTrue(async () => isShown() || (await onRecordOf(storage, listener)).length === 0);
    const { violations } = await gateway.admin.audit();
    const findings = [
      ...judgeHeard({ expected, heard, orphaned }),
      ...(await onRecordOf(storage, listener)).map((id) => `${id} was heard and never acknowledged`),
      ...violations.map(({ rule }) => `audit: ${rule}`),
    ];
    return { events: expected.length, heard: heard.length, kills: orphaned.length, findings };
  } finally {
    await workers.stop();
    await listener.close();
    await gateway.close({ drainMs: 0 });
  }
};
