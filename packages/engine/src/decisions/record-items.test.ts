import type { BatchItemRecord } from '@tollgate/storage';
import { expect, test } from 'vitest';
import { createDecisionWorld, operationRecord, resourceRecord } from '../../test/decision-world.ts';
import { recordItems, type RecordItemsCommand, type ItemEnd } from './record-items.ts';

const item: BatchItemRecord = {
  id: 'o1:0000',
  batchId: 'o1',
  place: 0,
  key: 'a',
  state: 'unknown',
  usage: null,
  attempts: [],
  errorCode: null,
  answer: null,
  answerBytes: 0,
  updatedAtMs: 900,
};

const resource = resourceRecord({
  kind: 'batch',
  publicFields: { completed_count: 0, failed_count: 0 },
  createdAtMs: 900,
  updatedAtMs: 900,
});

const failed: ItemEnd = {
  id: item.id,
  state: 'failed',
  usage: null,
  attempts: [],
  errorCode: 'not_found',
  answer: null,
  answerBytes: 0,
  blobKey: null,
};

const ending = (owner: string, state: BatchItemRecord['state'], word: Pick<RecordItemsCommand, 'isOwnWord'>) => {
  const world = createDecisionWorld(operationRecord({ kind: 'batch', owner: 'w1/t2' }));
  world.put('resource', resource);
  world.put('batchItem', { ...item, state });
  const command = { batchId: 'o1', owner, leaseMs: 10, answerBlobMs: 10, ends: [failed], start: [], ...word };
  world.step(recordItems(command));
  return world.get('batchItem', item.id)?.state;
};

test('takes the outcome of an item from the worker that ran it, whichever worker has the batch', () => {
  expect(ending('w1/t1', 'unknown', {})).toBe('failed');
  expect(ending('w1/t1', 'running', {})).toBe('failed');
});

test('takes the word of an owner that an item could not be handed over only while the batch is its own', () => {
  expect(ending('w1/t2', 'waiting', { isOwnWord: true })).toBe('failed');
  expect(ending('w1/t1', 'waiting', { isOwnWord: true })).toBe('waiting');
  expect(ending('w1/t1', 'unknown', { isOwnWord: true })).toBe('unknown');
});

test('an item that has ended stays as it ended', () => {
  for (const state of ['completed', 'failed', 'cancelled'] as const) expect(ending('w1/t2', state, {})).toBe(state);
});

test('a worker that does not have the batch begins nothing, and loses it', () => {
  const world = createDecisionWorld(operationRecord({ kind: 'batch', owner: 'w1/t2' }));
  world.put('resource', resource);
  world.put('batchItem', { ...item, state: 'waiting' });
  const command = { batchId: 'o1', leaseMs: 10, answerBlobMs: 10, ends: [], start: [item.id] };
  expect(world.step(recordItems({ ...command, owner: 'w1/t1' }))).toEqual({ kind: 'lost' });
  expect(world.get('batchItem', item.id)?.state).toBe('waiting');
  expect(world.step(recordItems({ ...command, owner: 'w1/t2' }))).toEqual({
    kind: 'going',
    started: [item.id],
    cancelling: false,
  });
  expect(world.operation()).toMatchObject({ dueAtMs: 1_010, updatedAtMs: 1_000 });
});
