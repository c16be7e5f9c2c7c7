import type { OperationRecord } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import { createDecisionWorld, operationRecord } from '../../test/decision-world.ts';
import { findAccess, takeAccess, type TakeAccessCommand } from './live-access.ts';

const session = {
  id: 'o1',
  projectId: 'p1',
  model: 'm',
  accessHash: 'aa',
  accessUntilMs: 60_000,
  openedAtMs: null,
  origins: null,
  config: {},
};

const found = <T>(record: T | undefined): T => {
  if (record === undefined) throw new Error('the world has no such record');
  return record;
};

const taking = (operation: Partial<OperationRecord> = {}) => {
  const world = createDecisionWorld(
    operationRecord({ kind: 'live', state: 'reserved', dueAtMs: 60_000, ...operation }),
  );
  world.put('liveSession', session);
  const take = (change: Partial<TakeAccessCommand> = {}) => {
    const { keyId, projectId, accountId } = world.operation();
    const ids = { id: 'o1', keyId, projectId, accountId };
    const asked = { ...ids, accessHash: 'aa', origin: null, owner: 'w2', leaseMs: 30_000 };
    return world.step(takeAccess({ ...asked, ...change })).kind;
  };
  const find = () => world.step(findAccess('o1'));
  return { world, take, find };
};

describe('the access of a session', () => {
  test('starts the operation for one socket', () => {
    const { world, take } = taking();
    world.nowMs = 10;
    expect(take()).toBe('taken');
    expect(world.operation()).toMatchObject({ state: 'processing', owner: 'w2', dueAtMs: 30_010, holdMicros: 30n });
    expect(world.get('liveSession', 'o1')).toMatchObject({ openedAtMs: 10 });
    expect(take({ owner: 'w3' })).toBe('refused');
  });

  test('knows its own mark where it is sent again', () => {
    const { take } = taking();
    expect([take(), take()]).toEqual(['taken', 'taken']);
  });

  test('is good to the last millisecond and not beyond', () => {
    const { world, take } = taking();
    world.nowMs = 60_000;
    expect(take()).toBe('refused');
    world.nowMs = 59_999;
    expect(take()).toBe('taken');
  });

  test('is refused for another key, another id, and once a sweep has it in hand', () => {
    expect(taking().take({ accessHash: 'ab' })).toBe('refused');
    expect(taking().take({ accessHash: 'aaa' })).toBe('refused');
    expect(taking().take({ id: 'o9' })).toBe('refused');
    expect(taking({ owner: 'sweep:1' }).take()).toBe('refused');
  });

  test('opens to a page of its origins and to a client that is no page, and is not used up by another page', () => {
    const { world, take } = taking();
    const page = 'https://app.example.com';
    world.put('liveSession', { ...session, origins: [page] });
    for (const origin of ['https://other.example.com', 'null', '', `${page}.evil.example`])
      expect([origin, take({ origin })]).toEqual([origin, 'refused']);
    expect(world.operation().state).toBe('reserved');
    expect(take({ origin: page })).toBe('taken');
    const other = taking();
    other.world.put('liveSession', { ...session, origins: [page] });
    expect(other.take()).toBe('taken');
    expect(taking().take({ origin: 'https://other.example.com' })).toBe('taken');
  });

  test('is refused once its key, project or account may not be used any more', () => {
    const ended: readonly ((world: ReturnType<typeof taking>['world']) => void)[] = [
      (world) => world.put('apiKey', { ...found(world.get('apiKey', 'k1')), status: 'revoked' }),
      (world) => world.put('project', { ...found(world.get('project', 'p1')), status: 'paused' }),
      (world) => world.put('account', { ...found(world.get('account', 'a1')), status: 'blocked' }),
    ];
    for (const end of ended) {
      const { world, take } = taking();
      end(world);
      const before = world.operation();
      expect(take()).toBe('refused');
      expect(world.operation()).toBe(before);
    }
  });

  test('is refused in every state but reserved, and changes nothing', () => {
    for (const state of ['preparing', 'processing', 'settling', 'uncertain', 'completed', 'failed'] as const) {
      const { world, take } = taking({ state });
      const before = world.operation();
      expect(take()).toBe('refused');
      expect(world.operation()).toBe(before);
    }
  });

  test('can be reported again as long as it can be used', () => {
    const { world, take, find } = taking();
    expect(find()).toEqual({ kind: 'usable', accessHash: 'aa', expiresAtMs: 60_000 });
    world.nowMs = 60_000;
    expect(find()).toMatchObject({ kind: 'over' });
    world.nowMs = 1;
    take();
    expect(find()).toMatchObject({ kind: 'over', operation: { state: 'processing' } });
  });
});
