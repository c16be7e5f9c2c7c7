import { runConformance, type ConformanceReport } from '@tollgate/conformance';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unseenReason } from '../../packages/conformance/src/rules/unseen-rules.ts';
import { faults } from './faults.ts';
import { serveForTheKit, type Served, type ServedOptions } from './served-for-the-kit.ts';
import { serveWrong, type Fault } from './wrong-gateway.ts';

const concurrency = 12;

/** What is wrong with a report: each broken rule with what was found. */
const broken = (report: ConformanceReport): readonly string[] =>
  report.rules.flatMap((rule) =>
    rule.kind === 'failed' ? rule.failures.map(({ what, case: title }) => `${rule.id}: ${what} (${title})`) : [],
  );

const tryWhole = async (options: ServedOptions, slow = false): Promise<ConformanceReport> => {
  const served = await serveForTheKit(options);
  try {
    return await runConformance({ ...served.options, slow, concurrency });
  } finally {
    await served.close();
  }
};

describe('the kit against our gateway', () => {
  test('passes whole over memory, slow cases too, and leaves out only what it gives a reason for', async () => {
    const report = await tryWhole({}, true);
    expect(broken(report)).toEqual([]);
    const uncovered = report.rules.filter(({ kind, id }) => kind === 'not_covered' && unseenReason(id) === undefined);
    // What only the upstream of the kit shows is tried below.
    expect(uncovered.map(({ id }) => id)).toEqual([
      'chat:history:stateless',
      'chat:message:system-merged',
      'chat:temperature:default',
    ]);
    expect(report.rules.filter(({ kind }) => kind === 'passed').length).toBeGreaterThan(510);
  });

  test('passes whole over SQLite', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'conformance-'));
    try {
      const report = await tryWhole({ storage: sqliteStorage({ path: path.join(folder, 'tollgate.db') }) });
      expect(broken(report)).toEqual([]);
      expect(report.rules.filter(({ kind }) => kind === 'passed').length).toBeGreaterThan(490);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('passes with every compatible mode on', async () => {
    const compatibility = { openai: true, google: true, anthropic: true, ollama: true };
    const report = await tryWhole({ options: { compatibility } });
    expect(broken(report)).toEqual([]);
    expect(report.rules.filter(({ kind }) => kind === 'passed').length).toBeGreaterThan(480);
  });

  test('passes over the upstream of the kit, and sees what that receives', async () => {
    const report = await tryWhole({ callsUpstream: true });
    expect(broken(report)).toEqual([]);
    const kinds = new Map(report.rules.map(({ id, kind }) => [id, kind]));
    for (const id of ['chat:history:stateless', 'chat:message:system-merged', 'chat:temperature:default'] as const)
      expect(kinds.get(id)).toBe('passed');
  });

  test('has as many calls charged as it says, at most', async () => {
    const served = await serveForTheKit();
    let said = 0;
    const report = await runConformance(
      { ...served.options, concurrency },
      { onPlan: ({ running }) => (said = running.reduce((sum, { charges }) => sum + charges, 0)) },
    );
    await served.close();
    expect(report.chargedOperations).toBeGreaterThan(100);
    expect(report.chargedOperations).toBeLessThanOrEqual(said + 10);
  });
});

describe('the kit against a wrong gateway', () => {
  let served: Served;
  let deliver: Fault['deliver'];
  beforeAll(async () => {
    served = await serveForTheKit({ deliver: (delivery) => deliver?.(delivery) ?? delivery });
  });
  afterAll(() => served.close());

  test('there are at least fifty of them', () => {
    expect(faults.length).toBeGreaterThan(50);
  });

  test.each(faults)('that $what names $rule', async (fault) => {
    const wrong = await serveWrong(fault, served.base);
    deliver = fault.deliver;
    try {
      const only = [fault.only ?? fault.rule];
      const report = await runConformance({ ...served.options, base: wrong.base, only, concurrency });
      expect(report.rules.filter(({ kind }) => kind === 'failed').map(({ id }) => id)).toContain(fault.rule);
    } finally {
      await wrong.close();
    }
  });
});
