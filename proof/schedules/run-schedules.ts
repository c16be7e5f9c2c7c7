import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Storage, TriggerRecord } from '@tollgate/storage';
import { postgresStorage } from '@tollgate/storage-postgres';
import type { Gateway } from 'tollgate';
import { addUsage, usageKey, usageOfTrigger, usageWrites } from '../../packages/engine/src/decisions/quotas.ts';
import { runSql } from '../../test/postgres-server.ts';
import { seededRandom } from '../model/random.ts';
import { model, openGateway, type SchedulesPlace } from './schedules-gateway.ts';
import { startWorkers, type Workers } from './workers.ts';

export interface SchedulesOptions {
  /** Of an empty database. */
  readonly url: string;
  readonly triggers: number;
  readonly workers: number;
  /** How many fall due at once; the next ones when these have ended. */
  readonly perRound: number;
  readonly seed: number;
}

/** What a run found. `findings` must be empty. */
export interface SchedulesReport {
  readonly occurrences: number;
  readonly completed: number;
  /** Whose process was killed while a provider had it: its outcome is unknown, and it is not run again. */
  readonly uncertain: number;
  readonly executions: number;
  readonly kills: number;
  readonly seconds: number;
  readonly findings: readonly string[];
}

const amountMicros = 1_000_000_000_000n;
const writtenAtOnce = 100;
const minuteMs = 60_000;
/** A worker is killed after so long, at random. */
const killMsMin = 400;
const killMsMax = 1_600;
const roundMsMax = 240_000;

/** Creates one trigger as a client does; the others are its copies. */
const createFirst = async (gateway: Gateway): Promise<string> => {
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'Schedules' });
  await admin.deposit({ accountId, amountMicros, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'Schedules' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model });
  const response = await gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/triggers', {
      method: 'POST',
      headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ schedule: '0 0 29 2 *', interaction: { input: 'Report.' } }),
    }),
  );
  const body: unknown = await response.json();
  if (typeof body !== 'object' || body === null || !('id' in body)) throw new Error('no trigger was created');
  return String(body.id);
};

/** Copies of a trigger that are due now, and once only: the next instant of their schedule is years away. */
const writeDue = async (storage: Storage, first: TriggerRecord, count: number): Promise<void> => {
  const nextRunAtMs = Math.floor(Date.now() / minuteMs) * minuteMs;
  for (let from = 0; from < count; from += writtenAtOnce) {
    const records = Array.from({ length: Math.min(writtenAtOnce, count - from) }, (): TriggerRecord => ({
      ...first,
      id: crypto.randomUUID(),
      nextRunAtMs,
      dueAtMs: nextRunAtMs,
    }));
    const used = records.map(usageOfTrigger).reduce(addUsage);
    await storage.transact(
      [usageKey(first.projectId), ...records.map(({ id }) => ({ table: 'trigger', id, fresh: true }) as const)],
      (found) => {
        const copies = records.map((record) => ({ kind: 'put', table: 'trigger', record }) as const);
        return { writes: [...copies, ...usageWrites(found, first.projectId, used)], answer: null };
      },
    );
  }
};

const countOf = async (url: string, sql: string): Promise<number> => Number((await runSql(url, sql))[0]?.['n'] ?? 0);

const unfinished = `SELECT
    (SELECT count(*) FROM tollgate.trigger WHERE next_run_at_ms <= extract(epoch FROM now()) * 1000)
  + (SELECT count(*) FROM tollgate.occurrence WHERE status = 'pending')
  + (SELECT count(*) FROM tollgate.operation WHERE state NOT IN ('completed', 'failed', 'uncertain')) AS n`;

const killUntil = async (workers: Workers, count: number, seed: number, isOver: () => boolean): Promise<void> => {
  const random = seededRandom(seed);
  while (!isOver()) {
    await delay(killMsMin + random.int(killMsMax - killMsMin));
    if (!isOver()) await workers.killOne(random.int(count));
  }
};

const finishRound = async (url: string): Promise<boolean> => {
  const untilMs = Date.now() + roundMsMax;
  while (Date.now() < untilMs) {
    if ((await countOf(url, unfinished)) === 0) return true;
    await delay(200);
  }
  return false;
};

const readFacts = async ({ url, executions }: SchedulesPlace) => {
  const lines = (await readFile(executions, 'utf8')).split('\n').filter((line) => line !== '');
  const count = (sql: string): Promise<number> => countOf(url, sql);
  return {
    occurrences: await count('SELECT count(*) AS n FROM tollgate.occurrence'),
    triggers: await count('SELECT count(DISTINCT trigger_id) AS n FROM tollgate.occurrence'),
    skipped: await count(
      `SELECT count(*) AS n FROM tollgate.occurrence WHERE status = 'skipped' OR operation_id IS NULL`,
    ),
    operations: await count('SELECT count(*) AS n FROM tollgate.operation'),
    opened: await count(
      'SELECT count(DISTINCT operation_id) AS n FROM tollgate.occurrence JOIN tollgate.operation ON operation.id = operation_id',
    ),
    completed: await count(`SELECT count(*) AS n FROM tollgate.operation WHERE state = 'completed'`),
    uncertain: await count(`SELECT count(*) AS n FROM tollgate.operation WHERE state = 'uncertain'`),
    executions: lines.length,
    executed: new Set(lines).size,
  };
};

type Facts = Awaited<ReturnType<typeof readFacts>>;

const judge = (facts: Facts, wanted: number): readonly string[] => {
  const findings: string[] = [];
  const demand = (isSo: boolean, finding: string): void => void (isSo || findings.push(finding));
  demand(facts.occurrences === wanted, `${facts.occurrences} occurrences of ${wanted}`);
  demand(facts.triggers === wanted, `${facts.triggers} triggers of ${wanted} had one`);
  demand(facts.skipped === 0, `${facts.skipped} occurrences opened nothing`);
  demand(facts.operations === wanted, `${facts.operations} interactions of ${wanted}`);
  demand(facts.opened === wanted, `${facts.opened} occurrences of ${wanted} have an interaction of their own`);
  demand(facts.executions === facts.executed, `${facts.executions - facts.executed} were executed again`);
  demand(facts.completed + facts.uncertain === wanted, `${facts.completed + facts.uncertain} of ${wanted} ended`);
  return findings;
};

const auditOf = async (gateway: Gateway): Promise<readonly string[]> => {
  const { violations, busy } = await gateway.admin.audit();
  return [...violations.map(({ rule, detail }) => `audit ${rule}: ${detail}`), ...busy];
};

/**
 * Lets triggers fall due by the thousand and kills its workers at random, and checks: one occurrence of each, none
 * doubled, none lost, one interaction of each occurrence, and none executed twice.
 */
export const runSchedules = async (options: SchedulesOptions): Promise<SchedulesReport> => {
  const { url, triggers, perRound, seed } = options;
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-schedules-'));
  const place: SchedulesPlace = { url, executions: path.join(folder, 'executions') };
  await writeFile(place.executions, '');
  const gateway = await openGateway(place);
  const storage = await postgresStorage({ connectionString: url });
  const id = await createFirst(gateway);
  const first = (await storage.read([{ table: 'trigger', id }])).get('trigger', id);
  if (first === undefined) throw new Error('no trigger was created');
  const workers = await startWorkers(place, options.workers);
  const startedMs = performance.now();
  let isOver = false;
  const killing = killUntil(workers, options.workers, seed, () => isOver);
  const findings: string[] = [];
  try {
    for (let done = 0; done < triggers && findings.length === 0; done += perRound) {
      await writeDue(storage, first, Math.min(perRound, triggers - done));
      if (!(await finishRound(url))) findings.push('a round did not end');
    }
  } finally {
    isOver = true;
    await killing;
    await workers.end();
  }
  const seconds = (performance.now() - startedMs) / 1_000;
  const facts = await readFacts(place);
  findings.push(...judge(facts, triggers), ...(await auditOf(gateway)));
  await storage.close();
  await gateway.close();
  await rm(folder, { recursive: true });
  const { occurrences, completed, uncertain, executions } = facts;
  return { occurrences, completed, uncertain, executions, kills: workers.kills(), seconds, findings };
};
