import { assert, constantFrom, integer, property, record, array } from 'fast-check';
import type { ProjectUsageRecord, Records } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import {
  addUsage,
  defaultQuotas,
  describeQuota,
  refuseUsage,
  usageChange,
  usageOfFile,
  usageOfResource,
  usageOfTrigger,
  usageOfWebhook,
  usageWrites,
  type Usage,
} from './quotas.ts';

const quotas = { ...defaultQuotas, filesMax: 3, keptBytesMax: 100 };

const counted = (used: Usage, overrides: ProjectUsageRecord['overrides'] = null): ProjectUsageRecord => ({
  id: 'p1',
  used,
  overrides,
  revision: 1,
});

const recordsOf = (usage: ProjectUsageRecord | undefined): Records => ({
  // The one table that is asked for.
  get: () => usage as never,
});

describe('a quota', () => {
  test('allows what it holds to the last one, and names itself, what is used and what is allowed', () => {
    expect(refuseUsage(undefined, quotas, { files: 3, keptBytes: 100 })).toBeNull();
    expect(refuseUsage(counted({ files: 2 }), quotas, { files: 1 })).toBeNull();
    const refusal = refuseUsage(counted({ files: 3 }), quotas, { files: 1, keptBytes: 5 });
    expect(refusal).toEqual({ quota: 'files', allowed: 3, used: 3, asked: 1 });
    expect(refusal === null ? '' : describeQuota(refusal)).toBe(
      'The quota files of this project is used up: 3 of 3 in use, and this request needs 1 more. ' +
        'Delete what is not needed any more.',
    );
    expect(refuseUsage(counted({ keptBytes: 96 }), quotas, { files: 1, keptBytes: 5 })).toMatchObject({
      quota: 'keptBytes',
    });
  });

  test('of the project itself goes before that of the host, also as none at all and for what is kept already', () => {
    expect(refuseUsage(counted({ files: 3 }, { filesMax: 4 }), quotas, { files: 1 })).toBeNull();
    expect(refuseUsage(counted({ files: 3 }, { filesMax: null }), quotas, { files: 99 })).toBeNull();
    expect(refuseUsage(counted({ files: 3 }, { filesMax: 1 }), quotas, { files: 1 })).toMatchObject({ allowed: 1 });
    expect(
      refuseUsage(counted({ files: 3 }, { keptBytesMax: 0 }), { ...quotas, filesMax: null }, { files: 1 }),
    ).toBeNull();
  });

  test('never refuses what does not grow', () => {
    expect(refuseUsage(counted({ files: 9, keptBytes: 900 }), quotas, { files: -1, keptBytes: 0 })).toBeNull();
  });
});

describe('what counts', () => {
  test('is a file or resource until it is cleared away', () => {
    expect(usageOfFile({ keptBytes: 5 })).toEqual({ files: 1, keptBytes: 5 });
    expect(usageOfFile({ keptBytes: null })).toEqual({});
    expect(usageOfResource({ kind: 'agent', keptBytes: 7 })).toEqual({ agents: 1, keptBytes: 7 });
    expect(usageOfResource({ kind: 'video', keptBytes: null })).toEqual({});
  });

  test('is a trigger until it is deleted and its bytes until they are gone, and a webhook until it is deleted', () => {
    expect(usageOfTrigger({ status: 'paused', keptBytes: 3 })).toEqual({ triggers: 1, keptBytes: 3 });
    expect(usageOfTrigger({ status: 'disabled', keptBytes: 3 })).toEqual({ keptBytes: 3 });
    expect(usageOfTrigger({ status: 'disabled', keptBytes: null })).toEqual({});
    expect([usageOfWebhook({ status: 'paused' }), usageOfWebhook({ status: 'disabled' })]).toEqual([
      { webhooks: 1 },
      {},
    ]);
  });
});

const someUsage = record({ files: integer({ min: 0, max: 5 }), keptBytes: integer({ min: 0, max: 50 }) });

test('the count is the sum of what was added less what was taken, whatever the order, and is written only where it changes', () => {
  assert(
    property(array(someUsage, { maxLength: 8 }), constantFrom(1, 2, 3), (all, every) => {
      let usage: ProjectUsageRecord | undefined;
      const write = (change: Usage): void => {
        for (const each of usageWrites(recordsOf(usage), 'p1', change))
          if (each.kind === 'put' && each.table === 'projectUsage') usage = each.record;
      };
      for (const each of all) write(addUsage({}, each));
      const kept = all.filter((_, place) => place % every !== 0);
      for (const [place, each] of all.entries()) if (place % every === 0) write(usageChange(each, {}));
      expect(usage?.used ?? {}).toEqual(kept.reduce<Usage>(addUsage, {}));
    }),
  );
  expect(usageWrites(recordsOf(counted({ files: 1 })), 'p1', {})).toEqual([]);
});
