import type { DeliveryRecord, IndexName, TriggerRecord } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import { createMemoryDisk } from './memory-disk.ts';

const delivery = (id: string, change: Partial<DeliveryRecord> = {}): DeliveryRecord => ({
  id,
  webhookId: 'webhook',
  eventId: 'event',
  operationId: 'operation',
  projectId: 'project',
  eventType: 'request.completed',
  body: '',
  status: 'pending',
  attempts: 0,
  httpStatus: null,
  owner: null,
  dueAtMs: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  ...change,
});

const trigger = (id: string, disabledAtMs: number | null): TriggerRecord => ({
  id,
  projectId: 'project',
  accountId: 'account',
  keyId: 'key',
  displayName: null,
  schedule: '0 * * * *',
  timeZone: 'UTC',
  interaction: {},
  status: disabledAtMs === null ? 'enabled' : 'disabled',
  nextRunAtMs: null,
  lastRunAtMs: null,
  owner: null,
  dueAtMs: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  disabledAtMs,
  refusals: 0,
  pausedCode: null,
  keptBytes: null,
});

/** All rows of an index, or of one list of it, page after page. */
const idsOf = (
  disk: ReturnType<typeof createMemoryDisk>,
  index: IndexName,
  of = '',
  limit = 100,
): readonly string[] => {
  const rows = disk.list(index, { of, limit });
  const last = rows.at(-1);
  if (last === undefined || rows.length < limit) return rows.map(({ id }) => id);
  const after = { order: Number(Reflect.get(last, 'createdAtMs')), id: last.id };
  const rest = disk.list(index, { of, limit: 100, after });
  return [...rows, ...rest].map(({ id }) => id);
};

describe('an index in memory', () => {
  test('has the rows that were there before it was asked for, and those written since, newest first', () => {
    const disk = createMemoryDisk();
    disk.put('delivery', delivery('b', { createdAtMs: 2 }));
    expect(idsOf(disk, 'deliveries')).toEqual(['b']);
    disk.put('delivery', delivery('d', { createdAtMs: 4 }));
    disk.put('delivery', delivery('a', { createdAtMs: 1 }));
    disk.put('delivery', delivery('c', { createdAtMs: 2 }));
    expect(idsOf(disk, 'deliveries')).toEqual(['d', 'c', 'b', 'a']);
    expect(idsOf(disk, 'deliveries', '', 2)).toEqual(['d', 'c', 'b', 'a']);
  });

  test('moves a row to its new place and its new list', () => {
    const disk = createMemoryDisk();
    const rows = ['a', 'b', 'c'].map((id, at) => delivery(id, { createdAtMs: at + 1 }));
    for (const row of rows) disk.put('delivery', row);
    expect(idsOf(disk, 'deliveriesByProject', 'project')).toEqual(['c', 'b', 'a']);
    disk.put('delivery', delivery('a', { createdAtMs: 5 }));
    disk.put('delivery', delivery('b', { createdAtMs: 2, projectId: 'other' }));
    expect(idsOf(disk, 'deliveriesByProject', 'project')).toEqual(['a', 'c']);
    expect(idsOf(disk, 'deliveriesByProject', 'other')).toEqual(['b']);
  });

  test('shows a row as it was written last', () => {
    const disk = createMemoryDisk();
    disk.put('delivery', delivery('a'));
    expect(disk.list('deliveries', { of: '', limit: 1 })).toMatchObject([{ attempts: 0 }]);
    disk.put('delivery', delivery('a', { attempts: 1 }));
    expect(disk.list('deliveries', { of: '', limit: 1 })).toMatchObject([{ attempts: 1 }]);
  });

  test('forgets deleted rows, and rows that its condition leaves out', () => {
    const disk = createMemoryDisk();
    for (const id of ['a', 'b', 'c']) disk.put('trigger', trigger(id, null));
    expect(idsOf(disk, 'triggers')).toEqual(['c', 'b', 'a']);
    disk.put('trigger', trigger('b', 7));
    disk.delete('trigger', 'c');
    expect(idsOf(disk, 'triggers')).toEqual(['a']);
    disk.put('trigger', trigger('b', null));
    expect(idsOf(disk, 'triggers')).toEqual(['b', 'a']);
  });
});
