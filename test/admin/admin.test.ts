import { adminRoutes, bearer, createAdminOpenApi, type AdminRoute } from '@tollgate/admin';
import { serve } from '@hono/node-server';
import { expect, test } from 'vitest';
import { openAdminWorld, rowOf } from './admin-world.ts';

const nowhere = '01900000-0000-7000-8000-000000000000';

test('every function of gateway.admin has a row, and no two rows have one id or one address', async () => {
  const { gateway } = await openAdminWorld();
  const covered = new Set<string>(adminRoutes.flatMap(({ covers }) => covers));
  expect(Object.keys(gateway.admin).filter((name) => !covered.has(name))).toEqual([]);
  expect([...covered].filter((name) => !Object.hasOwn(gateway.admin, name))).toEqual([]);
  expect(new Set(adminRoutes.map(({ id }) => id)).size).toBe(adminRoutes.length);
  expect(new Set(adminRoutes.map(({ method, path }) => `${method} ${path}`)).size).toBe(adminRoutes.length);
});

test('lets in no one whom the host does not know, and says nothing of what is there', async () => {
  const { ask, accountId, handle } = await openAdminWorld();
  for (const path of ['/accounts', `/accounts/${accountId}`, '/openapi.json', '/nothing']) {
    const refused = await ask('GET', path, { as: null });
    expect([path, refused.status, refused.at('error', 'code')]).toEqual([path, 401, 'invalid_credential']);
  }
  expect((await ask('GET', '/nothing')).status).toBe(404);
  expect((await handle(new Request('http://host/other', { headers: { 'x-who': 'operator' } }))).status).toBe(404);
  const other = await ask('DELETE', '/accounts');
  expect([other.status, other.headers.get('allow')]).toEqual([405, 'GET, POST']);
});

test('opens, renames, tops up and closes an account, and a repeat of each changes nothing', async () => {
  const { ask, gateway } = await openAdminWorld();
  const open = () => ask('POST', '/accounts', { body: { name: 'Edsger' }, headers: { 'idempotency-key': 'a-1' } });
  const opened = await open();
  expect([opened.status, opened.at('name'), opened.at('status')]).toEqual([201, 'Edsger', 'active']);
  const id = opened.textAt('id');
  expect((await open()).at('id')).toBe(id);
  const change = { name: 'E. W. D.', metadata: { customer: '7' } };
  expect((await ask('PATCH', `/accounts/${id}`, { body: change })).json).toMatchObject(change);
  const deposit = { body: { credits: '12.5', reference: 'pay-1' } };
  const paid = await ask('POST', `/accounts/${id}/deposits`, deposit);
  expect(paid.json).toMatchObject({ repeated: false, wallet: { balance_credits: '12.5', reserved_credits: '0' } });
  expect((await ask('POST', `/accounts/${id}/deposits`, deposit)).json).toMatchObject({ repeated: true });
  const other = await ask('POST', `/accounts/${id}/deposits`, { body: { credits: '13', reference: 'pay-1' } });
  expect([other.status, other.at('error', 'code')]).toEqual([409, 'conflict']);
  const keyed = { body: { credits: '-2.5' }, headers: { 'idempotency-key': 'fix-1' } };
  expect((await ask('POST', `/accounts/${id}/compensations`, keyed)).at('wallet', 'balance_credits')).toBe('10');
  expect((await ask('POST', `/accounts/${id}/compensations`, keyed)).at('repeated')).toBe(true);
  const bare = await ask('POST', `/accounts/${id}/deposits`, { body: { credits: '1' } });
  expect([bare.status, bare.at('error', 'message')]).toEqual([422, expect.stringContaining('reference is missing')]);
  const closed = await ask('POST', `/accounts/${id}/close`);
  expect(closed.json).toMatchObject({ account: { status: 'closed' }, wallet: { balance_credits: '10' } });
  expect((await gateway.admin.audit()).violations).toEqual([]);
});

test('accepts dates wherever a time is given, and says so of what is none', async () => {
  const { ask, projectId } = await openAdminWorld();
  const dated = await ask('POST', `/projects/${projectId}/keys`, { body: { expires_at: '2030-01-01' } });
  expect([dated.status, dated.at('expires_at')]).toEqual([201, '2030-01-01T00:00:00.000Z']);
  const tariff = { version: 'next', models: {} };
  const run = { tariff, from: '2026-11-01', until: '2026-12-01' };
  expect((await ask('POST', '/prices/dry-run', { body: run })).status).toBe(200);
  const refused = await ask('POST', '/prices/dry-run', { body: { ...run, from: 'yesterday' } });
  expect(refused.status).toBe(422);
  expect(refused.at('error', 'message')).toContain('accepted is text of ISO 8601, such as 2026-11-25 (in UTC)');
  const unlisted = await ask('POST', '/prices/dry-run', { body: { from: '2026-11-01', until: '2026-12-01' } });
  expect(unlisted.at('error', 'message')).toMatch(
    /accepted is a price list in the form in which the gateway takes one\.$/,
  );
  expect((await ask('PATCH', '/keys/user:42', { body: { status: 'inactive' } })).status).toBe(404);
});

test('bounds a key when it is made and later, and makes the key of a reference once', async () => {
  const { ask, projectId, keyId } = await openAdminWorld();
  const body = {
    name: 'ci',
    reference: 'ci',
    expires_at: '2030-01-01T00:00:00.000Z',
    models: ['flash-3.8'],
    cap: { amount_credits: '12.5', window: 'month', time_zone: 'Europe/Lisbon' },
    limits: { requests_per_minute: 60 },
    metadata: { team: 'build' },
  };
  const made = await ask('POST', `/projects/${projectId}/keys`, { body });
  expect(made.json).toMatchObject({ ...body, key: expect.any(String) });
  const again = await ask('POST', `/projects/${projectId}/keys`, { body: { ...body, name: 'other' } });
  expect(again.json).toMatchObject({ id: made.at('id'), name: 'ci', key: null });
  const path = `/projects/${projectId}/keys`;
  expect((await ask('GET', `${path}?reference=ci`)).json).toMatchObject({ data: [{ id: made.at('id') }], next: null });
  expect((await ask('GET', `${path}?reference=c`)).at('data')).toEqual([]);
  expect((await ask('GET', `${path}?reference=`)).status).toBe(422);
  const keyed = () => ask('POST', `/projects/${projectId}/keys`, { body: {}, headers: { 'idempotency-key': 'k-1' } });
  expect((await keyed()).at('id')).toBe((await keyed()).at('id'));
  const changed = await ask('PATCH', `/keys/${keyId}`, { body: { models: ['flash-3.8'], cap: null } });
  expect(changed.json).toMatchObject({ models: ['flash-3.8'], cap: null, expires_at: null });
  expect((await ask('PATCH', `/keys/${keyId}`, { body: { models: null } })).at('models')).toBeNull();
});

test('refuses an expiry that is past by the name of its field', async () => {
  const { ask, projectId, keyId } = await openAdminWorld();
  const body = { expires_at: '2020-01-01T00:00:00.000Z' };
  const message = 'expires_at is 2020-01-01T00:00:00.000Z, which is past; accepted is a time in the future, or null.';
  for (const refused of [
    await ask('POST', `/projects/${projectId}/keys`, { body }),
    await ask('POST', `/projects/${projectId}/keys`, { body: { ...body, reference: 'ci' } }),
    await ask('PATCH', `/keys/${keyId}`, { body }),
  ])
    expect([refused.status, refused.at('error', 'message')]).toEqual([422, message]);
});

test('lets an owner bound its keys, and leaves their rates to operators', async () => {
  const { ask, keyId } = await openAdminWorld();
  const cap = { amount_credits: '1', window: 'day' };
  expect((await ask('PATCH', `/keys/${keyId}`, { as: 'owner', body: { cap } })).json).toMatchObject({ cap });
  const refused = await ask('PATCH', `/keys/${keyId}`, { as: 'owner', body: { limits: null } });
  expect([refused.status, refused.at('error', 'code')]).toEqual([403, 'not_permitted']);
});

test('limits accounts and projects when they are made and later, and lets no owner do so', async () => {
  const { ask, accountId, projectId } = await openAdminWorld();
  const limits = { requests_per_minute: 60, concurrent_requests: 4 };
  const opened = await ask('POST', '/accounts', { body: { name: 'Grace', limits } });
  expect([opened.status, opened.at('limits')]).toEqual([201, limits]);
  const made = await ask('POST', '/projects', { body: { account_id: accountId, name: 'Mill', limits } });
  expect([made.status, made.at('limits')]).toEqual([201, limits]);
  for (const path of [`/accounts/${accountId}`, `/projects/${projectId}`]) {
    expect((await ask('GET', path)).at('limits')).toBeNull();
    expect((await ask('PATCH', path, { body: { limits } })).at('limits')).toEqual(limits);
    const renamed = await ask('PATCH', path, { body: { name: 'Engine' } });
    expect([renamed.at('name'), renamed.at('limits')]).toEqual(['Engine', limits]);
    expect((await ask('PATCH', path, { body: { limits: { requests_per_minute: 0 } } })).status).toBe(422);
    expect((await ask('GET', path)).at('limits')).toEqual(limits);
    expect((await ask('PATCH', path, { body: { limits: null } })).at('limits')).toBeNull();
  }
  for (const refused of [
    await ask('PATCH', `/projects/${projectId}`, { as: 'owner', body: { limits } }),
    await ask('PATCH', `/projects/${projectId}`, { as: 'owner', body: { limits: null } }),
    await ask('POST', '/projects', { as: 'owner', body: { account_id: accountId, name: 'Loom', limits } }),
    await ask('PATCH', `/accounts/${accountId}`, { as: 'owner', body: { limits } }),
  ])
    expect([refused.status, refused.at('error', 'code')]).toEqual([403, 'not_permitted']);
  expect((await ask('GET', `/projects/${projectId}`)).at('limits')).toBeNull();
});

test('gives an account a plan, and a balance below which the host hears of it', async () => {
  const { ask, accountId } = await openAdminWorld();
  expect((await ask('PATCH', `/accounts/${accountId}`, { body: { plan: 'pro' } })).at('plan')).toBe('pro');
  const low = await ask('PUT', `/accounts/${accountId}/low-balance`, { body: { credits: '5' } });
  expect(low.json).toEqual({ id: accountId, low_balance_credits: '5' });
  const none = await ask('PUT', `/accounts/${accountId}/low-balance`, { body: { credits: null } });
  expect(none.at('low_balance_credits')).toBeNull();
});

test('makes a project and a key, shows the key once, and the key works', async () => {
  const { ask, accountId, gateway } = await openAdminWorld();
  const project = await ask('POST', '/projects', { as: 'owner', body: { account_id: accountId, name: 'Mill' } });
  expect(project.status).toBe(201);
  const made = await ask('POST', `/projects/${project.textAt('id')}/keys`, { as: 'owner', body: { name: 'ci' } });
  expect([made.status, made.at('name'), typeof made.at('key')]).toEqual([201, 'ci', 'string']);
  const chat = () =>
    gateway.fetch(
      new Request('http://host/api/v1/ai/models', { headers: { authorization: `Bearer ${made.textAt('key')}` } }),
    );
  expect((await chat()).status).toBe(200);
  const listed = await ask('GET', `/projects/${project.textAt('id')}/keys`, { as: 'owner' });
  expect(listed.at('data')).toMatchObject([{ id: made.at('id'), name: 'ci' }]);
  expect(listed.text).not.toMatch(/secret|"key"/);
  const revoked = await ask('PATCH', `/keys/${made.textAt('id')}`, { as: 'owner', body: { status: 'revoked' } });
  expect(revoked.json).toMatchObject({ status: 'revoked', revoked_at: expect.stringContaining('T') });
  expect((await chat()).status).toBe(401);
});

test('an owner sees its own and nothing else, on every route', async () => {
  const world = await openAdminWorld();
  const { ask, accountId, projectId, keyId } = world;
  const operationId = await world.chat();
  const ids: Readonly<Record<string, string>> = {
    account_id: accountId,
    project_id: projectId,
    key_id: keyId,
    operation_id: operationId,
  };
  const named = adminRoutes
    .filter(({ path }) => path.includes('{'))
    .map((route) => ({
      ...route,
      path: route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? nowhere),
    }));
  const asking = (route: AdminRoute, as: 'owner' | 'stranger' | 'member') =>
    ask(route.method, route.path, { as, body: route.method === 'GET' ? undefined : {} });
  for (const route of named)
    for (const as of ['stranger', 'member'] as const) {
      const { status, text } = await asking(route, as);
      expect([route.id, as, [403, 404, 422].includes(status)]).toEqual([route.id, as, true]);
      expect(text).not.toContain(accountId);
    }
  for (const route of named.filter(({ role }) => role === 'operator'))
    expect([route.id, (await asking(route, 'owner')).status]).toEqual([route.id, 403]);
  const own = named.filter(({ role, method, path }) => role === 'owner' && method === 'GET' && !path.includes(nowhere));
  expect(own.length).toBeGreaterThan(8);
  for (const route of own) expect([route.id, (await asking(route, 'owner')).status]).toEqual([route.id, 200]);
  for (const query of [`account_id=${accountId}`, `project_id=${projectId}`, `key_id=${keyId}`])
    for (const as of ['stranger', 'member'] as const)
      expect([query, (await ask('GET', `/operations?${query}`, { as })).status]).toEqual([query, 404]);
  expect((await ask('GET', '/operations', { as: 'owner' })).status).toBe(422);
  expect((await ask('GET', '/deliveries', { as: 'owner' })).status).toBe(422);
  expect((await ask('GET', '/schedules', { as: 'owner' })).status).toBe(422);
  expect((await ask('GET', `/projects?account_id=${accountId}`, { as: 'stranger' })).status).toBe(404);
  const ownProjects = async (as: 'owner' | 'stranger' | 'member') => (await ask('GET', '/projects', { as })).at('data');
  expect(await ownProjects('owner')).toEqual([expect.objectContaining({ id: projectId })]);
  expect(await ownProjects('stranger')).toEqual([expect.objectContaining({ id: world.otherProjectId })]);
  expect(await ownProjects('member')).toEqual([expect.objectContaining({ id: world.otherProjectId })]);
});

test('an owner neither frees what the operator blocked, nor takes an id of its own choice', async () => {
  const { ask, accountId, projectId, otherProjectId } = await openAdminWorld();
  const set = (as: 'owner' | 'operator', status: string) =>
    ask('PATCH', `/projects/${projectId}`, { as, body: { status } });
  expect((await set('owner', 'paused')).at('status')).toBe('paused');
  expect((await set('owner', 'blocked')).status).toBe(403);
  expect((await set('operator', 'blocked')).status).toBe(200);
  expect((await set('owner', 'active')).status).toBe(403);
  const body = { account_id: accountId, name: 'x', id: otherProjectId };
  expect((await ask('POST', '/projects', { as: 'owner', body })).status).toBe(403);
});

test('shows an operation and its life, without who ran it to an owner', async () => {
  const { ask, chat, keyId, projectId } = await openAdminWorld();
  const id = await chat('client-1');
  const listed = await ask('GET', `/operations?key_id=${keyId}&state=completed&limit=1`);
  expect(listed.json).toMatchObject({ object: 'list', data: [{ id, state: 'completed' }] });
  const life = await ask('GET', `/operations/${id}/life`);
  expect(life.at('events')).toMatchObject([{ kind: 'opened' }, { kind: 'attempt' }, { kind: 'ended' }]);
  expect(life.at('events', 1, 'attempt')).toMatchObject({ provider: 'sandbox', duration_ms: expect.any(Number) });
  expect(life.at('events', 2)).toMatchObject({ charged_credits: expect.stringMatching(/^0\.\d+$/) });
  const ownLife = await ask('GET', `/operations/${id}/life`, { as: 'owner' });
  expect(ownLife.json).toMatchObject({ parts: [], events: [{}, { attempt: { outcome: 'answered' } }, {}] });
  expect(ownLife.text).not.toContain('sandbox');
  const owned = await ask('GET', `/operations/${id}`, { as: 'owner' });
  expect(owned.json).toMatchObject({ service_tier: null, served_tier: null });
  expect(owned.at('attempts')).toBeUndefined();
  const found = await ask('GET', `/operations/by-identity?project_id=${projectId}&identity=client-1`);
  expect(found.at('id')).toBe(id);
  const answer = await ask('GET', `/operations/${id}/answer`, { as: 'owner' });
  expect(answer.json).toMatchObject({ partial: false, text: expect.stringContaining('assistant') });
});

test('previews and decides an uncertain operation, under the name of the operator', async () => {
  const { ask, chat, gateway, accountId } = await openAdminWorld();
  const id = await chat(undefined, '[[sandbox: unknown]]');
  const open = await ask('GET', '/operations?state=uncertain');
  expect(open.at('data')).toMatchObject([{ id, state: 'uncertain' }]);
  expect((await ask('GET', `/operations/${id}/life`)).at('uncertain')).toEqual({ kind: 'outcome_unknown' });
  const usage = [{ unit: 'input_text_tokens', quantity: 1_000 }];
  const preview = await ask('POST', `/operations/${id}/verdict-preview`, { body: { executed: true, usage } });
  expect(preview.json).toMatchObject({ usage, amount_credits: expect.stringMatching(/^0\.\d+$/) });
  const verdict = { executed: true, credits: '0.25', reason: 'the bill of November', reference: 'inv-7' };
  const decided = await ask('POST', `/operations/${id}/verdict`, { body: verdict });
  expect(decided.json).toMatchObject({
    repeated: false,
    operation: { state: 'completed', charged_credits: '0.25', verdict: { by: 'olga', reference: 'inv-7' } },
  });
  expect((await ask('POST', `/operations/${id}/verdict`, { body: verdict })).at('repeated')).toBe(true);
  const other = await ask('POST', `/operations/${id}/verdict`, { body: { executed: false } });
  expect([other.status, other.at('error', 'code')]).toEqual([409, 'conflict']);
  const wallet = await ask('GET', `/accounts/${accountId}/wallet`, { as: 'owner' });
  expect(wallet.json).toMatchObject({ balance_credits: '99.75', reserved_credits: '0' });
  expect((await ask('GET', `/operations/${id}/life`, { as: 'owner' })).text).not.toContain('olga');
  expect((await gateway.admin.audit()).violations).toEqual([]);
});

test('refuses a verdict that cannot be meant, and one of what is decided', async () => {
  const { ask, chat, gateway } = await openAdminWorld();
  const id = await chat();
  const body = { executed: true, credits: '0.25' };
  for (const path of ['verdict', 'verdict-preview'])
    expect([path, (await ask('POST', `/operations/${id}/${path}`, { body })).status]).toEqual([path, 409]);
  const wrong = await ask('POST', `/operations/${id}/verdict`, { body: { executed: false, credits: '1' } });
  expect([wrong.status, wrong.at('error', 'message')]).toEqual([422, expect.stringContaining('exclude each other')]);
  expect((await gateway.admin.readOperation(id))?.verdict).toBeNull();
});

test('compares a bill with an uncertain operation, and decides it by the bill', async () => {
  const { ask, chat } = await openAdminWorld();
  const id = await chat(undefined, '[[sandbox: unknown]]');
  const rows = [{ id, usage: [{ unit: 'input_text_tokens', quantity: 10 }] }];
  const looked = await ask('POST', '/reconciliations', { body: { rows, ids_are: 'operation' } });
  expect(looked.json).toMatchObject({ rows: 1, proposals: [{ operation: { id, state: 'uncertain' }, answer: null }] });
  expect(rowOf('reconcile').success.schema.safeParse(looked.json).error?.issues).toBeUndefined();
  const applied = await ask('POST', '/reconciliations', { body: { rows, ids_are: 'operation', apply: true } });
  expect(applied.at('proposals')).toMatchObject([{ answer: 'resolved' }]);
  expect((await ask('GET', `/operations/${id}`)).json).toMatchObject({ state: 'completed', verdict: { by: 'olga' } });
  const empty = await ask('POST', '/reconciliations', { body: { rows: [{ id: 'x', usage: [] }] } });
  expect([empty.status, empty.at('error', 'message')]).toEqual([422, expect.stringContaining('line 1 of the bill')]);
});

test('states an account as pages and as CSV, whose texts no spreadsheet runs', async () => {
  const { ask, accountId, chat, keyId } = await openAdminWorld();
  await chat();
  await ask('POST', `/accounts/${accountId}/deposits`, { body: { credits: '3', reference: '=HYPERLINK("x"),"y"' } });
  const page = await ask('GET', `/accounts/${accountId}/statement?limit=2`, { as: 'owner' });
  expect(page.at('data')).toMatchObject([
    { kind: 'deposit', amount_credits: '3', reference: '=HYPERLINK("x"),"y"' },
    { kind: 'debit', key_id: keyId, model: expect.any(String) },
  ]);
  const rest = await ask('GET', `/accounts/${accountId}/statement?after=${page.textAt('next')}`, { as: 'owner' });
  expect(rest.json).toMatchObject({ data: [{ seq: 1, balance_credits: '100' }], next: null });
  const csv = await ask('GET', `/accounts/${accountId}/statement?format=csv`, { as: 'owner' });
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  const lines = csv.text.split('\r\n');
  expect(lines).toHaveLength(5);
  expect(lines[0]).toBe('seq,time,kind,credits,balance,model,key_id,operation_id,reference');
  expect(lines[1]).toContain(`"'=HYPERLINK(""x""),""y"""`);
  expect(lines[2]).toMatch(/,debit,-0\.\d+,/);
  const accepted = await ask('GET', `/accounts/${accountId}/statement`, { headers: { accept: 'text/csv' } });
  expect(accepted.text).toBe(csv.text);
  expect((await ask('GET', `/accounts/${nowhere}/statement`)).status).toBe(404);
});

test('sends an event of an owner again, and none of others', async () => {
  const { ask, gateway, key, projectId } = await openAdminWorld();
  const made = await gateway.fetch(
    new Request('http://host/api/v1/ai/webhooks', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ url: 'https://hooks.example.com/in', events: ['request.completed'] }),
    }),
  );
  const [webhook] = await gateway.admin.listWebhooks(projectId);
  expect([made.status, webhook?.status]).toEqual([200, 'enabled']);
  const event = await gateway.admin.sendTestEvent({ projectId, webhookId: webhook?.id ?? '' });
  const path = `/deliveries/${encodeURIComponent(event?.id ?? '')}/redeliver`;
  for (const as of ['operator', 'owner'] as const)
    expect((await ask('POST', path, { as })).json).toMatchObject({ id: event?.id, status: 'pending' });
  expect((await ask('POST', path, { as: 'stranger' })).status).toBe(404);
  expect((await ask('POST', '/deliveries/no-such-id/redeliver')).status).toBe(404);
});

test('sums up usage as the ledger has it, by group, in pages and as CSV, for an owner its own', async () => {
  const { ask, accountId, projectId, keyId, chat, gateway } = await openAdminWorld();
  await chat();
  await chat();
  const { chargedMicros = 0n } = (await gateway.admin.findOperations({ accountId })).items[0] ?? {};
  const hourMs = 3_600_000;
  const hour = Math.floor(Date.now() / hourMs) * hourMs;
  const [from, until] = [hour - hourMs, hour + 2 * hourMs].map((atMs) => new Date(atMs).toISOString());
  const usage = (query: string, as: 'owner' | 'operator' | 'stranger' = 'owner') =>
    ask('GET', `/usage?from=${from}&until=${until}&${query}`, { as });
  const summed = await usage(`account_id=${accountId}&group_by=model,key`);
  expect(summed.at('data')).toMatchObject([
    { requests: 2, key_id: keyId, charged_credits: String(Number(2n * chargedMicros) / 1_000_000) },
  ]);
  expect(rowOf('usage').success.schema.safeParse(summed.json).error?.issues).toBeUndefined();
  const csv = await usage(`project_id=${projectId}&format=csv&group_by=key`);
  expect(csv.text.split('\r\n')[1]).toContain(keyId);
  for (const wrong of ['group_by=provider', 'provider=sandbox'])
    expect((await usage(`account_id=${accountId}&${wrong}`)).status).toBe(403);
  expect((await usage(`account_id=${accountId}&group_by=day`)).textAt('error', 'message')).toContain(
    'group_by names day',
  );
  expect((await usage('group_by=provider', 'operator')).at('data', 0, 'provider')).toBe('sandbox');
  expect((await usage(`account_id=${accountId}`, 'stranger')).status).toBe(404);
  expect((await usage('')).status).toBe(422);
});

test('names the field that is wrong, missing or unknown, in bodies and in queries', async () => {
  const { ask, accountId } = await openAdminWorld();
  const message = async (method: string, path: string, body?: unknown) => {
    const { status, at } = await ask(method, path, body === undefined ? {} : { body });
    return [status, at('error', 'message')];
  };
  expect(await message('GET', '/accounts?limit=101')).toEqual([422, expect.stringContaining('limit')]);
  expect(await message('GET', '/accounts?limits=1')).toEqual([422, expect.stringContaining('limits')]);
  expect(await message('GET', '/accounts?after=zzz')).toEqual([422, expect.stringContaining('after')]);
  expect(await message('GET', '/accounts?limit=1&limit=2')).toEqual([422, expect.stringContaining('limit twice')]);
  expect(await message('POST', '/accounts', {})).toEqual([422, expect.stringContaining('name')]);
  expect(await message('POST', '/accounts', { name: 'x', nam: 1 })).toEqual([422, expect.stringContaining('nam')]);
  expect(await message('POST', '/accounts', '{')).toEqual([400, expect.stringContaining('JSON')]);
  expect(await message('POST', '/accounts', { name: 'x'.repeat(70_000) })).toEqual([
    413,
    expect.stringContaining('65536'),
  ]);
  const path = `/accounts/${accountId}/deposits`;
  expect(await message('POST', path, { credits: '1.0000001', reference: 'r' })).toEqual([
    422,
    expect.stringContaining('credits'),
  ]);
  expect(await message('POST', path, { credits: '-1', reference: 'r' })).toEqual([
    422,
    expect.stringContaining('amountMicros'),
  ]);
});

const place = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

test('refuses by name what no storage can keep, and says nothing of it to the log', async () => {
  const { ask, accountId, failures } = await openAdminWorld();
  const refused = async (method: string, path: string, body?: unknown) => {
    const { status, at } = await ask(method, path, body === undefined ? {} : { body });
    return `${status} ${String(at('error', 'message'))}`;
  };
  expect(await refused('GET', '/accounts/a%00b')).toMatch(/^422 .*account_id/u);
  expect(await refused('GET', '/projects?account_id=%00')).toMatch(/^422 .*account_id/u);
  expect(await refused('POST', '/accounts', { name: 'a\0' })).toMatch(/^422 .*name/u);
  expect(await refused('POST', '/accounts', { name: '\uD800' })).toMatch(/^422 .*name/u);
  expect(await refused('POST', '/accounts', { name: 'a', metadata: { k: '\0' } })).toMatch(/^422 .*metadata/u);
  expect(await refused('POST', '/accounts', { name: 'a', metadata: { '\0': 'k' } })).toMatch(/^422 .*metadata/u);
  const proto = JSON.parse('{"name":"a","metadata":{"k":"v","__proto__":"w"}}');
  expect(await refused('POST', '/accounts', proto)).toMatch(/^422 .*metadata\.__proto__/u);
  const usage = '/usage?from=2026-11-25&until=2026-11-26&format=csv';
  expect(await refused('GET', `${usage}&model=%00`)).toMatch(/^422 .*model/u);
  for (const order of [1.5, 1e308, -1e308])
    expect(await refused('GET', `/accounts?after=${place({ order, id: 'x' })}`)).toMatch(/^422 .*after/u);
  expect(await refused('GET', `/accounts?after=${place({ order: 1, id: '\0' })}`)).toMatch(/^422 .*after/u);
  const behind = place({ fromMs: Date.UTC(2026, 10, 25), values: ['\0'] });
  expect(await refused('GET', `${usage.replace('csv', 'json')}&group_by=model&after=${behind}`)).toMatch(/^422 after/u);
  expect(await refused('GET', '/accounts?__proto__=1')).toMatch(/^422 .*__proto__/u);
  const credits = { credits: '1000000000.000001', reference: 'r' };
  expect(await refused('POST', `/accounts/${accountId}/deposits`, credits)).toMatch(/^422 .*credits/u);
  expect(failures).toEqual([]);
});

test('writes each change with the name of who made it, and no content', async () => {
  const { ask, logged, accountId, projectId, failures } = await openAdminWorld();
  await ask('GET', '/accounts');
  await ask('PATCH', `/accounts/${accountId}`, { body: { name: 'a secret name' } });
  await ask('PATCH', `/projects/${projectId}`, { as: 'stranger', body: { name: 'x' } });
  await ask('POST', '/sweep', { as: null });
  expect(logged).toEqual([
    [
      'administration',
      {
        by: 'olga',
        role: 'operator',
        action: 'changeAccount',
        account_id: accountId,
        status: 200,
        requestId: expect.any(String),
      },
    ],
    ['administration', expect.objectContaining({ by: 'grace', role: 'owner', action: 'changeProject', status: 404 })],
  ]);
  expect(failures).toEqual([]);
});

test('asks for the header that a host of cookies requires, of changes alone', async () => {
  const { ask } = await openAdminWorld({ requiredHeader: 'x-tollgate-console' });
  expect((await ask('GET', '/accounts')).status).toBe(200);
  expect((await ask('POST', '/accounts', { body: { name: 'x' } })).at('error', 'code')).toBe('not_permitted');
  const headers = { 'x-tollgate-console': '1' };
  expect((await ask('POST', '/accounts', { body: { name: 'x' }, headers })).status).toBe(201);
});

test('answers 503 where the function of the host throws or returns what is no caller, and shows nothing of it', async () => {
  for (const authorize of [
    () => Promise.reject(new Error('database at 10.0.0.1 is down')),
    // A host in JavaScript returns what it likes.
    () => JSON.parse('{"role":"admin","name":"x"}') as never,
    () => JSON.parse('{"role":"operator"}') as never,
  ]) {
    const { ask, failures } = await openAdminWorld({ authorize });
    const { status, text } = await ask('GET', '/accounts');
    expect([status, text.includes('10.0.0.1'), failures.length]).toEqual([503, false, 1]);
  }
});

test('describes every row, and is what its own document says', async () => {
  const { ask } = await openAdminWorld();
  const { status, json, at, headers } = await ask('GET', '/openapi.json', { as: 'owner' });
  expect([status, headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(at('openapi')).toBe('3.1.0');
  for (const { id, path, method } of adminRoutes)
    expect([id, at('paths', path, method.toLowerCase(), 'operationId')]).toEqual([id, id]);
  expect(json).toEqual(JSON.parse(JSON.stringify(createAdminOpenApi(adminRoutes, '/admin'))));
});

test('what the rows return is what their schemas say', async () => {
  const world = await openAdminWorld();
  const { ask, accountId, projectId, keyId } = world;
  const operationId = await world.chat();
  const ids: Readonly<Record<string, string>> = {
    account_id: accountId,
    project_id: projectId,
    key_id: keyId,
    operation_id: operationId,
  };
  const queries: Readonly<Record<string, string>> = {
    findOperations: `?account_id=${accountId}`,
    findOperationByIdentity: `?project_id=${projectId}&identity=none`,
  };
  const seen: string[] = [];
  for (const route of adminRoutes.filter(({ method }) => method === 'GET')) {
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? nowhere);
    const { status, json } = await ask('GET', `${path}${queries[route.id] ?? ''}`);
    if (status !== 200) continue;
    seen.push(route.id);
    expect([route.id, route.success.schema.safeParse(json).error?.issues]).toEqual([route.id, undefined]);
  }
  expect(seen.length).toBeGreaterThan(14);
  for (const id of ['audit', 'sweep']) {
    const { json } = await ask('POST', rowOf(id).path);
    expect(rowOf(id).success.schema.safeParse(json).success).toBe(true);
  }
});

test('works behind a real socket, by a secret', async () => {
  const world = await openAdminWorld({
    authorize: bearer([{ secret: 's'.repeat(32), caller: { role: 'operator', name: 'olga' } }]),
  });
  const server = serve({ fetch: world.handle, port: 0, hostname: '127.0.0.1' });
  try {
    await new Promise<void>((resolve) => {
      if (server.listening) resolve();
      else server.once('listening', resolve);
    });
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const ask = (secret: string) =>
      fetch(`http://127.0.0.1:${port}/admin/accounts/${world.accountId}/statement?format=csv`, {
        headers: { authorization: `Bearer ${secret}` },
      });
    expect((await ask('s'.repeat(31))).status).toBe(401);
    const answered = await ask('s'.repeat(32));
    expect([answered.status, (await answered.text()).split('\r\n').length]).toEqual([200, 3]);
  } finally {
    server.close();
  }
});
