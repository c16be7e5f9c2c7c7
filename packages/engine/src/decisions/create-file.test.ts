import { expect, test } from 'vitest';
import { createDecisionWorld } from '../../test/decision-world.ts';
import { createFileStep, type CreateFileCommand } from './create-file.ts';
import { defaultQuotas } from './quotas.ts';

const creating = (change: Partial<CreateFileCommand> = {}) => {
  const world = createDecisionWorld(null);
  world.put('pendingBlob', { id: 'b1', owner: null, dueAtMs: 9_000 });
  const send = () =>
    world.step(
      createFileStep({
        keyId: 'k1',
        projectId: 'p1',
        accountId: 'a1',
        fileId: 'f1',
        blobKey: 'b1',
        displayName: 'name',
        mimeType: 'text/plain',
        sizeBytes: 3,
        sha256: 'hash',
        provider: null,
        model: null,
        keptMs: 700,
        owner: 'w1',
        leaseMs: 50,
        quotas: defaultQuotas,
        ...change,
      }),
    ).kind;
  return { world, send, file: () => world.get('file', 'f1') };
};

test('a file without a copy elsewhere can be used at once, and is due when it expires', () => {
  const { world, send, file } = creating();
  expect(send()).toBe('created');
  expect(file()).toMatchObject({ status: 'active', owner: null, dueAtMs: 1_700, expiresAtMs: 1_700, uses: 0 });
  expect(world.get('pendingBlob', 'b1')).toBeUndefined();
});

test('a file that is copied first is in the hands of the worker that copies it', () => {
  const { send, file } = creating({ provider: 'up', model: 'm' });
  send();
  expect(file()).toMatchObject({ status: 'processing', owner: 'w1', dueAtMs: 1_050, expiresAtMs: 1_700 });
});

test('a file that was created before stays as it is, and bytes that are being deleted are lost', () => {
  const { world, send, file } = creating();
  send();
  const before = file();
  world.nowMs = 2_000;
  expect(send()).toBe('created');
  expect(file()).toEqual(before);
  const late = creating();
  late.world.put('pendingBlob', { id: 'b1', owner: 'sweep:s1', dueAtMs: 9_000 });
  expect(late.send()).toBe('lost');
  expect(creating({ blobKey: 'b2' }).send()).toBe('lost');
});
