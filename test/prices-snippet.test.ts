import { memoryStorage } from '@tollgate/storage-memory';
import OpenAI from 'openai';
import { createGateway, microsFromCredits, silentLogger } from 'tollgate';
import { expect, test } from 'vitest';
import { startGateway } from './clients/running-gateway.ts';
import { byProvider, later, layered, tryOnNovember, withServiceTiers } from '../docs/snippets/prices.ts';

const customer = Object.keys(layered.customers ?? {})[0] ?? '';
const content = '[[sandbox: tokens in=1000 out=1000]]';

test.each([
  ['without a plan', undefined, null, '0.0072'],
  ['of the plan pro', undefined, 'pro', '0.00648'],
  ['of the plan flat', undefined, 'flat', '0.0059'],
  ['of an agreement', customer, null, '0.0044'],
])('the page on prices says what a request of an account %s costs', async (_, id, plan, credits) => {
  const gateway = await createGateway({
    storage: memoryStorage({ now: () => Date.UTC(2026, 10, 20) }),
    logger: silentLogger,
    tariff: layered,
    laterTariffs: later,
  });
  const { id: accountId } = await gateway.admin.createAccount({ name: 'Ada', id, plan });
  await gateway.admin.deposit({ accountId, amountMicros: microsFromCredits('5'), reference: 'first' });
  const project = await gateway.admin.createProject({ accountId, name: 'Engine' });
  const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: 'flash-3.8' });
  const response = await gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key?.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content }] }),
    }),
  );
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  const [operation] = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operation).toMatchObject({ chargedMicros: microsFromCredits(credits), plan, tariffVersion: '2026-11' });
  expect((await gateway.admin.audit()).violations).toEqual([]);
  // The list of the page again: what was charged is what it charges.
  const micros = microsFromCredits(credits);
  expect(await tryOnNovember(gateway.admin, layered)).toEqual({ chargedMicros: micros, pricedMicros: micros });
  await gateway.close({ drainMs: 0 });
});

test('a list with prices by provider is taken', async () => {
  const gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger, tariff: byProvider });
  await gateway.close({ drainMs: 0 });
  expect(Object.keys(byProvider.models['flash-3.8']?.providers ?? {})).toEqual(['openai']);
});

test('the client of OpenAI asks for a service tier of the page, and pays half of it', async () => {
  const running = await startGateway({
    options: { tariff: withServiceTiers, enabledModels: ['flash-2.5', 'flash-3.8'], compatibility: { openai: true } },
    model: null,
  });
  const client = new OpenAI({ apiKey: running.key, baseURL: running.baseUrl, maxRetries: 0 });
  const ask = async (model: string, tier: 'flex' | 'auto') => {
    const { data, request_id: id } = await client.chat.completions
      .create({
        model,
        service_tier: tier,
        messages: [{ role: 'user', content: '[[sandbox: tokens in=1000 out=1000]]' }],
      })
      .withResponse();
    return { tier: data.service_tier, micros: (await running.gateway.admin.readOperation(id ?? ''))?.chargedMicros };
  };
  expect(await ask('flash-2.5', 'auto')).toEqual({ tier: undefined, micros: microsFromCredits('0.005') });
  expect(await ask('flash-2.5', 'flex')).toEqual({ tier: 'flex', micros: microsFromCredits('0.0025') });
  await expect(ask('flash-3.8', 'flex')).rejects.toMatchObject({ status: 422, code: 'unsupported_parameter' });
  const stream = await client.chat.completions.create({
    model: 'flash-2.5',
    service_tier: 'priority',
    stream: true,
    messages: [{ role: 'user', content: '[[sandbox: echo One two three.]] [[sandbox: tier standard]]' }],
  });
  const tiers: string[] = [];
  for await (const { service_tier: tier } of stream) if (tier) tiers.push(tier);
  expect(tiers).toEqual(['default']);
  await running.close();
});
