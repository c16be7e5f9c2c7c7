import { expect, test } from 'vitest';
import { createEngineWorld } from '../../test/engine-world.ts';

const absent = '00000000-0000-7000-8000-00000000abcd';

test('shows the text of a key once and never keeps it [auth:key:never-echoed]', async () => {
  const { admin, projectId, storage } = await createEngineWorld();
  const created = await admin.createKey({ projectId, model: 'model', name: 'mine' });
  expect(created?.key).toMatch(/^tg_[\w-]{65}$/u);
  expect(created).not.toHaveProperty('secretHash');
  const id = created?.id ?? '';
  const stored = (await storage.read([{ table: 'apiKey', id }])).get('apiKey', id);
  expect(JSON.stringify(stored)).not.toContain(created?.key);
  for (const listed of await admin.listKeys(projectId)) {
    expect(listed).not.toHaveProperty('key');
    expect(listed).not.toHaveProperty('secretHash');
  }
});

test('lets a key in that it has made, bound to its model', async () => {
  const { admin, projectId, engine } = await createEngineWorld();
  const created = await admin.createKey({ projectId, model: 'model' });
  expect(await engine.access.authenticate(created?.key ?? '')).toMatchObject({
    kind: 'granted',
    access: { projectId, model: 'model' },
  });
});

test('switches a key off and on, and tells this process at once', async () => {
  const { admin, projectId, engine } = await createEngineWorld();
  const created = await admin.createKey({ projectId, model: null });
  const authenticate = () => engine.access.authenticateForOpening(created?.key ?? '');
  expect(await authenticate()).toMatchObject({ kind: 'granted' });
  await admin.setKeyStatus(created?.id ?? '', 'inactive');
  expect(await authenticate()).toEqual({ kind: 'refused', code: 'ai_key_inactive' });
  await admin.setKeyStatus(created?.id ?? '', 'active');
  expect(await authenticate()).toMatchObject({ kind: 'granted' });
});

test('never brings a revoked key back', async () => {
  const { admin, keyId, clock } = await createEngineWorld();
  const revoked = await admin.setKeyStatus(keyId, 'revoked');
  expect(revoked).toMatchObject({ status: 'revoked', revokedAtMs: clock.now() });
  expect(await admin.setKeyStatus(keyId, 'active')).toEqual(revoked);
});

test('lists the keys of a project only', async () => {
  const { admin, accountId, projectId, keyId } = await createEngineWorld();
  const other = await admin.createProject({ accountId, name: 'Other' });
  await admin.createKey({ projectId: other?.id ?? '', model: null });
  expect((await admin.listKeys(projectId)).map(({ id }) => id)).toEqual([keyId]);
});

test('returns null for a project or key that is not there', async () => {
  const { admin } = await createEngineWorld();
  expect(await admin.createKey({ projectId: absent, model: null })).toBeNull();
  expect(await admin.setKeyStatus(absent, 'active')).toBeNull();
});

test('refuses a status that is none, which would admit a project that was meant to be paused', async () => {
  const { admin, keyId, projectId, accountId } = await createEngineWorld();
  // What a host in plain JavaScript may write.
  const misspelt = 'disabled' as 'active';
  for (const refused of [
    admin.setKeyStatus(keyId, misspelt),
    admin.setProjectStatus(projectId, misspelt),
    admin.setAccountStatus(accountId, misspelt),
  ])
    await expect(refused).rejects.toMatchObject({ code: 'configuration_invalid' });
  expect((await admin.listKeys(projectId)).map(({ status }) => status)).toEqual(['active']);
});

test('refuses an expiry that is past, and says that a number of seconds is one', async () => {
  const { admin, keyId, projectId, clock } = await createEngineWorld();
  const past = clock.now() - 1;
  await expect(admin.createKey({ projectId, model: null, expiresAtMs: past })).rejects.toThrow(
    `createKey: expiresAtMs is ${past}, the time ${new Date(past).toISOString()}, which is past; accepted is a time in the future, in milliseconds since 1970`,
  );
  await expect(admin.changeKey(keyId, { expiresAtMs: 1_798_761_600 })).rejects.toThrow(
    /^changeKey: expiresAtMs is 1798761600, .*; it looks like seconds, which are 1798761600000 milliseconds$/,
  );
  await expect(admin.changeKey(keyId, { expiresAtMs: 8_640_000_000_000_001 })).resolves.toMatchObject({ id: keyId });
  expect((await admin.listKeys(projectId)).length).toBe(1);
});

test('returns the key of a reference after its expiry, as it is', async () => {
  const { admin, projectId, clock } = await createEngineWorld();
  const input = { projectId, model: null, reference: 'boot', expiresAtMs: clock.now() + 1_000 };
  const made = await admin.createKeyOnce(input);
  await clock.advance(2_000);
  expect(await admin.createKeyOnce(input)).toEqual({ ...made, key: null });
  await expect(admin.createKeyOnce({ ...input, reference: 'later' })).rejects.toThrow('createKeyOnce: expiresAtMs');
});
