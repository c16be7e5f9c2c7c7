import type { ApiKeyRecord, BrowserTokenRecord, Key, Records } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { createAccessDirectory } from './access-directory.ts';
import { createApiKeyText, createTokenText } from './api-key.ts';

const keyId = '01934e5a-7d2c-7a31-9c4f-0123456789ab';
const filled = (byte: number) => (size: number) => new Uint8Array(size).fill(byte);

const opened = (record: Partial<ApiKeyRecord> = {}) => {
  const world = createDecisionWorld(null);
  const { key, secretHash } = createApiKeyText(keyId, filled(7));
  const template = world.get('apiKey', 'k1');
  if (template === undefined) throw new Error('the world has no key');
  const stored = { ...template, id: keyId, secretHash, model: 'm', ...record };
  world.put('apiKey', stored);
  let reads = 0;
  let nowMs = 0;
  let slow: Promise<void> | null = null;
  const read = async (keys: readonly Key[]): Promise<Records> => {
    reads += 1;
    // What is committed when the read begins.
    const found = new Map(keys.map(({ table, id }) => [`${table}/${id}`, world.get(table, id)]));
    await slow;
    return { get: (table, id) => found.get(`${table}/${id}`) as never };
  };
  /** Holds up every read until the function that it returns is called. */
  const slowDown = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    slow = promise;
    return resolve;
  };
  const directory = createAccessDirectory({
    // Reading is all that a directory does with a storage.
    storage: { read } as never,
    monotonicMs: () => nowMs,
    wallClockMs: () => nowMs,
    cachedMs: 5_000,
    randomBytes: filled(9),
  });
  const setStatus = (status: ApiKeyRecord['status']) => world.put('apiKey', { ...stored, status });
  const pass = (ms: number): void => {
    nowMs += ms;
  };
  return { directory, key, setStatus, pass, world, slowDown, reads: () => reads };
};

const granted = {
  kind: 'granted',
  access: { keyId, projectId: 'p1', accountId: 'a1', model: 'm', models: null, limits: null },
};
const invalid = { kind: 'refused', code: 'invalid_api_key' };

const unbound: BrowserTokenRecord = {
  id: 't1',
  keyId,
  projectId: 'p1',
  accountId: 'a1',
  secretHash: '',
  origins: null,
  models: null,
  budgetMicros: null,
  createdAtMs: 1,
  expiresAtMs: 9_000,
  revokedAtMs: null,
  owner: null,
  dueAtMs: null,
};

/** A token of a key of two models. */
const withToken = () => {
  const parts = opened({ models: ['m', 'n'] });
  const id = '01934e5a-7d2c-7a31-9c4f-0123456789cd';
  const { token, secretHash } = createTokenText(id, filled(3));
  const bounds = { origins: ['https://app.example.com'], models: ['n', 'o'], budgetMicros: 40n };
  parts.world.put('browserToken', { ...unbound, ...bounds, id, secretHash });
  return { ...parts, id, token };
};

describe('the directory of access', () => {
  test('tells whose key it is: one project and one account [auth:key:account-and-project]', async () => {
    const { directory, key } = opened();
    expect(await directory.authenticate(key)).toEqual(granted);
  });

  test('does not know a key that is none, is not on record or has another secret [auth:bearer:unknown-key]', async () => {
    const { directory, reads } = opened();
    expect(await directory.authenticate('sk-other')).toEqual(invalid);
    expect(reads()).toBe(0);
    expect(await directory.authenticate(createApiKeyText(keyId, filled(8)).key)).toEqual(invalid);
    const absent = createApiKeyText('01934e5a-7d2c-7a31-9c4f-ffffffffffff', filled(7)).key;
    expect(await directory.authenticate(absent)).toEqual(invalid);
  });

  test('sees a revocation at once where it counts [auth:bearer:revoked]', async () => {
    const { directory, key, setStatus } = opened();
    await directory.authenticateForOpening(key);
    setStatus('revoked');
    expect(await directory.authenticate(key)).toEqual(invalid);
  });

  test('does not read again for a while where opening will look anyway', async () => {
    const { directory, key, reads, pass, setStatus } = opened();
    expect(await directory.authenticateForOpening(key)).toEqual(granted);
    const before = reads();
    pass(4_999);
    setStatus('inactive');
    expect(await directory.authenticateForOpening(key)).toEqual(granted);
    expect(reads()).toBe(before);
    pass(1);
    expect(await directory.authenticateForOpening(key)).toEqual({ kind: 'refused', code: 'ai_key_inactive' });
  });

  test('has the limits of the records of project and account, and sees a change elsewhere after five seconds', async () => {
    const { directory, key, pass, world } = opened({ limits: { requestsPerMinute: 1 } });
    const [project, account] = [world.get('project', 'p1'), world.get('account', 'a1')];
    if (project === undefined || account === undefined) throw new Error('the world has no project or no account');
    world.put('project', { ...project, limits: { requestsPerMinute: 2 } });
    const levels = { key: { requestsPerMinute: 1 }, project: { requestsPerMinute: 2 }, account: null };
    const limited = (limits: object) => ({ ...granted, access: { ...granted.access, limits } });
    expect(await directory.authenticateForOpening(key)).toEqual(limited(levels));
    world.put('account', { ...account, limits: { tokensPerMinute: 3 } });
    pass(4_999);
    expect(await directory.authenticateForOpening(key)).toEqual(limited(levels));
    pass(1);
    expect(await directory.authenticateForOpening(key)).toEqual(
      limited({ ...levels, account: { tokensPerMinute: 3 } }),
    );
    expect(await directory.authenticateAgain(granted.access)).toEqual(
      limited({ ...levels, account: { tokensPerMinute: 3 } }),
    );
  });

  test('does not remember a refusal', async () => {
    const { directory, key, setStatus } = opened({ status: 'inactive' });
    expect(await directory.authenticateForOpening(key)).toEqual({ kind: 'refused', code: 'ai_key_inactive' });
    setStatus('active');
    expect(await directory.authenticateForOpening(key)).toEqual(granted);
  });

  test('does not remember a grant whose read was under way when this process changed access', async () => {
    const { directory, setStatus, slowDown } = opened();
    const goOn = slowDown();
    const reading = directory.refusalOf(granted.access);
    setStatus('revoked');
    directory.forget();
    goOn();
    expect(await reading).toBeNull();
    expect(await directory.refusalOf(granted.access)).toBe('invalid_api_key');
  });

  test('counts the age of a grant from the beginning of its read', async () => {
    const { directory, setStatus, slowDown, pass } = opened();
    const goOn = slowDown();
    const reading = directory.refusalOf(granted.access);
    setStatus('revoked');
    pass(5_000);
    goOn();
    expect(await reading).toBeNull();
    expect(await directory.refusalOf(granted.access)).toBe('invalid_api_key');
  });

  test('forgets what it read when this process changes access', async () => {
    const { directory, key, setStatus } = opened();
    await directory.authenticateForOpening(key);
    setStatus('revoked');
    directory.forget();
    expect(await directory.authenticateForOpening(key)).toEqual(invalid);
  });

  test('says why work that a key began must not go on, and sees a revocation elsewhere after five seconds', async () => {
    const { directory, pass, setStatus, reads } = opened();
    const ids = granted.access;
    expect(await directory.refusalOf(ids)).toBeNull();
    setStatus('revoked');
    const before = reads();
    pass(4_999);
    expect(await directory.refusalOf(ids)).toBeNull();
    expect(reads()).toBe(before);
    pass(1);
    expect(await directory.refusalOf(ids)).toBe('invalid_api_key');
    setStatus('active');
    expect(await directory.refusalOf(ids)).toBeNull();
  });

  test('sees at once what this process has revoked, also for work under way', async () => {
    const { directory, setStatus } = opened();
    await directory.refusalOf(granted.access);
    setStatus('inactive');
    directory.forget();
    expect(await directory.refusalOf(granted.access)).toBe('ai_key_inactive');
  });

  test('does not take a token for its key, nor one token for another', async () => {
    const { directory, world } = opened();
    for (const [id, revokedAtMs] of [
      ['t1', null],
      ['t2', 1],
    ] as const)
      world.put('browserToken', { ...unbound, id, revokedAtMs });
    const refusals = [];
    for (const tokenId of [undefined, 't1', 't2', undefined])
      refusals.push(await directory.refusalOf({ ...granted.access, tokenId }));
    expect(refusals).toEqual([null, null, 'invalid_api_key', null]);
  });

  test('looks at project and account as well', async () => {
    const { directory, key, world } = opened();
    world.put('project', {
      id: 'p1',
      accountId: 'a1',
      name: '',
      status: 'paused',
      createdAtMs: 1,
      metadata: null,
      closedAtMs: null,
      limits: null,
    });
    expect(await directory.authenticate(key)).toEqual({ kind: 'refused', code: 'project_paused' });
  });

  test('keeps no more keys in mind than ten thousand', async () => {
    const { directory, key, world, reads } = opened();
    await directory.authenticateForOpening(key);
    const template = world.get('apiKey', keyId);
    for (let at = 0; at < 10_000; at += 1) {
      const id = `01934e5a-7d2c-7a31-9c4f-${at.toString(16).padStart(12, '0')}`;
      const made = createApiKeyText(id, filled(1));
      if (template !== undefined) world.put('apiKey', { ...template, id, secretHash: made.secretHash });
      await directory.authenticateForOpening(made.key);
    }
    const before = reads();
    await directory.authenticateForOpening(key);
    expect(reads()).toBeGreaterThan(before);
  });
});

test('hands over the keys that it let in, and none that it refused', async () => {
  const { directory, key } = opened();
  await directory.authenticate(key);
  expect(directory.takeUses()).toEqual([keyId]);
  const other = opened();
  other.setStatus('revoked');
  await other.directory.authenticate(other.key);
  expect(other.directory.takeUses()).toEqual([]);
});

test('refuses a key once its time is over, and goes on with what it began', async () => {
  const { directory, key, pass } = opened({ expiresAtMs: 10_000 });
  expect(await directory.authenticate(key)).toMatchObject({ kind: 'granted' });
  pass(10_000);
  expect(await directory.authenticate(key)).toEqual({ kind: 'refused', code: 'ai_key_expired' });
  expect(await directory.refusalOf({ keyId, projectId: 'p1', accountId: 'a1' })).toBeNull();
});

describe('a token of a page', () => {
  test('grants its models of those that its key may call, with its budget and for its origins', async () => {
    const { directory, id, token } = withToken();
    expect(await directory.authenticate(token)).toEqual({
      kind: 'granted',
      access: {
        ...granted.access,
        models: ['n'],
        tokenId: id,
        origins: ['https://app.example.com'],
        budget: { id: `token:${id}`, limitMicros: 40n, endsAtMs: 9_000 },
      },
    });
  });

  test('is not known by its id without its secret, nor by the secret of its key', async () => {
    const { directory, id } = withToken();
    for (const byte of [7, 8])
      expect(await directory.authenticate(createTokenText(id, filled(byte)).token)).toEqual(invalid);
  });
});

describe('a caller whom the host recognised', () => {
  const claim = { projectId: 'p1', keyId } as const;

  test('has what its key may do, as far as the host lets it', async () => {
    const { directory } = opened({ models: ['m', 'n'], limits: { tokensPerMinute: 5 } });
    const bounded = { ...claim, accountId: 'a1', models: ['n', 'o'], limits: { requestsPerMinute: 2 } };
    const access = { ...granted.access, models: ['n'], limits: { key: { requestsPerMinute: 2 } } };
    expect(await directory.authenticateClaim(bounded, 'query')).toEqual({ kind: 'granted', access });
    expect(await directory.authenticateClaim(claim, 'query')).toMatchObject({
      access: { models: ['m', 'n'], limits: { key: { tokensPerMinute: 5 } } },
    });
  });

  test('is none where the rest of the claim is of another project or account, remembered or not', async () => {
    const { directory } = opened();
    for (let round = 0; round < 2; round += 1) {
      const ask = (more: object) => directory.authenticateClaim({ ...claim, ...more }, 'opening');
      expect(await ask({ projectId: 'p2' })).toEqual({
        kind: 'unknown',
        fault: 'keyId names a key of another project',
      });
      const fault = 'accountId is not the account of the project';
      expect(await ask({ accountId: 'a2' })).toEqual({ kind: 'unknown', fault });
      expect(await ask({ keyId: 'k9' })).toEqual({ kind: 'unknown', fault: 'keyId names no key' });
      expect(await ask({})).toEqual(granted);
    }
  });

  test('is remembered for requests that open, and never longer than a change of access in this process', async () => {
    const { directory, setStatus, reads } = opened();
    await directory.authenticateClaim(claim, 'opening');
    const read = reads();
    await directory.authenticateClaim(claim, 'opening');
    expect(reads()).toBe(read);
    setStatus('inactive');
    const inactive = { kind: 'refused', code: 'ai_key_inactive' };
    expect(await directory.authenticateClaim(claim, 'query')).toEqual(inactive);
    directory.forget();
    expect(await directory.authenticateClaim(claim, 'opening')).toEqual(inactive);
  });

  test('is remembered for itself, beside a caller of the same project under another key', async () => {
    const { directory, world } = opened();
    const other = '01934e5a-7d2c-7a31-9c4f-0123456789ff';
    const stored = world.get('apiKey', keyId);
    if (stored === undefined) throw new Error('the world has the key');
    world.put('apiKey', { ...stored, id: other, models: ['n'] });
    expect(await directory.authenticateClaim(claim, 'opening')).toEqual(granted);
    expect(await directory.authenticateClaim({ ...claim, keyId: other }, 'opening')).toMatchObject({
      access: { keyId: other, models: ['n'] },
    });
  });

  test('is noted as a use of its key', async () => {
    const { directory } = opened();
    await directory.authenticateClaim(claim, 'opening');
    expect(directory.takeUses()).toEqual([keyId]);
  });
});
