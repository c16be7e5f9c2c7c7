import type { Storage } from '@tollgate/storage';
import { expect, test } from 'vitest';
import type { Fault, Faults } from './fault.ts';
import { createFaultyIdentities } from './faulty-identities.ts';
import { createFaultyLedger } from './faulty-ledger.ts';
import { createFaultyStorage } from './faulty-storage.ts';
import { createMemoryIdentities } from './memory-identities.ts';
import { createMemoryLedger } from './memory-ledger.ts';

const breathe = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A storage that only counts, and what was asked of it. */
const counting = () => {
  const calls: string[] = [];
  const called = (name: string) => async () => {
    calls.push(name);
    return name as never;
  };
  const storage: Storage = {
    transact: called('transact'),
    read: called('read'),
    list: called('list'),
    scan: called('scan'),
    claim: called('claim'),
    sumUsage: called('sumUsage'),
    blobs: {
      put: called('put'),
      get: called('get'),
      putStream: called('putStream'),
      getStream: called('getStream'),
      delete: called('delete'),
    },
    vectors: { put: called('vectors.put'), search: called('search'), remove: called('remove') },
    close: called('close'),
  };
  return { storage, calls };
};

const always = (fault: Fault): Faults => ({ before: () => fault });

const step = (storage: Storage) => storage.transact([], () => ({ writes: [], answer: null }));

/** What the caller sees before it would have to wait for another one. */
const seen = async (promise: Promise<unknown>): Promise<string> => {
  let state = 'nothing';
  const reference = async (): Promise<void> => {
    try {
      await promise;
      state = 'answer';
    } catch (cause) {
      state = cause instanceof Error && 'code' in cause ? 'busy' : 'error';
    }
  };
  void reference();
  await breathe();
  return state;
};

test.each<readonly [Fault, string, number]>([
  [{ kind: 'none' }, 'answer', 1],
  [{ kind: 'refused' }, 'error', 0],
  [{ kind: 'busy' }, 'busy', 0],
  [{ kind: 'unconfirmed' }, 'error', 1],
  [{ kind: 'unanswered' }, 'nothing', 1],
  [{ kind: 'lost' }, 'nothing', 0],
])('meets %j with %s and %i effects', async (fault, answer, effects) => {
  const { storage, calls } = counting();
  expect(await seen(step(createFaultyStorage(storage, always(fault))))).toBe(answer);
  expect(calls).toHaveLength(effects);
});

test('lets a late call take effect when its time comes', async () => {
  const { storage, calls } = counting();
  const { promise, resolve } = Promise.withResolvers<void>();
  expect(await seen(step(createFaultyStorage(storage, always({ kind: 'late', when: promise }))))).toBe('error');
  expect(calls).toEqual([]);
  resolve();
  await breathe();
  expect(calls).toEqual(['transact']);
});

test('holds calls and answers back as long as the directive says', async () => {
  const { storage, calls } = counting();
  const go = Promise.withResolvers<Fault>();
  const home = Promise.withResolvers<void>();
  const call = step(createFaultyStorage(storage, { before: () => go.promise, after: () => home.promise }));
  expect(await seen(call)).toBe('nothing');
  expect(calls).toEqual([]);
  go.resolve({ kind: 'none' });
  expect(await seen(call)).toBe('nothing');
  expect(calls).toEqual(['transact']);
  home.resolve();
  expect(await seen(call)).toBe('answer');
});

test('asks about every await of a storage, and never about closing', async () => {
  const { storage, calls } = counting();
  const asked: string[] = [];
  const faulty = createFaultyStorage(storage, {
    before: ({ target, name }) => {
      asked.push(`${target} ${name}`);
      return { kind: 'none' };
    },
  });
  await step(faulty);
  await faulty.read([]);
  await faulty.list('accounts', { of: '', limit: 1 });
  await faulty.scan('account', { limit: 1 });
  await faulty.claim({ table: 'operation', owner: '', leaseMs: 1, limit: 1 });
  await faulty.blobs.put('k', new Uint8Array());
  await faulty.blobs.get('k');
  await faulty.blobs.delete('k');
  await faulty.close();
  expect(asked).toEqual([
    'storage transact',
    'storage read',
    'storage list',
    'storage scan',
    'storage claim',
    'blobs put',
    'blobs get',
    'blobs delete',
  ]);
  expect(calls).toHaveLength(9);
});

test('asks about every await of a ledger and of identities', async () => {
  const asked: string[] = [];
  const faults: Faults = {
    before: ({ target, name }) => {
      asked.push(`${target} ${name}`);
      return { kind: 'unconfirmed' };
    },
  };
  const ledger = createFaultyLedger(createMemoryLedger(), faults);
  const identities = createFaultyIdentities(createMemoryIdentities(), faults);
  const amount = { operationId: 'o', accountId: 'a', amountMicros: 1n };
  const claim = { projectId: 'p', identity: 'i', fingerprint: 'f', operationId: 'o' };
  for (const call of [ledger.reserve(amount), ledger.extend(amount), ledger.settle(amount), ledger.release(amount)])
    await expect(call).rejects.toThrow('unconfirmed');
  for (const call of [identities.claim(claim), identities.release(claim)])
    await expect(call).rejects.toThrow('unconfirmed');
  expect(asked).toEqual([
    'ledger reserve',
    'ledger extend',
    'ledger settle',
    'ledger release',
    'identities claim',
    'identities release',
  ]);
});
