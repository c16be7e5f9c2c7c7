import { NotExecuted, type CacheCall, type GenerationCall } from '@tollgate/provider';
import { sampleCaller } from '@tollgate/testing/fakes';
import { expect, test } from 'vitest';
import { sandboxProvider } from './sandbox-provider.ts';

const context = () => ({ caller: sampleCaller, signal: new AbortController().signal, recordAttempt: () => {} });

const cacheOf = (text: string, displayName: string | null = null): CacheCall => ({
  operationId: 'cache-1',
  upstreamModel: 'any',
  displayName,
  systemInstruction: null,
  ttlSeconds: 60,
  contents: [{ role: 'user', parts: [{ kind: 'text', text }] }],
});

const call: GenerationCall = {
  operationId: 'operation-1',
  upstreamModel: 'any',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: '[[sandbox: echo ok]]' }] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 100,
};

const keeping = (tokensMin?: number) => {
  const sandbox = sandboxProvider({
    now: () => 0,
    sleep: () => Promise.resolve(),
    caches: tokensMin === undefined ? {} : { tokensMin },
  });
  if (sandbox.caches === undefined) throw new Error('this sandbox keeps caches');
  return { ...sandbox, caches: sandbox.caches };
};

test('keeps a cache, measures what it holds, and tells its reads apart', async () => {
  const sandbox = keeping();
  const created = await sandbox.caches.create(cacheOf('x'.repeat(400)), context());
  expect(created).toMatchObject({
    tokens: 100,
    usage: [{ unit: 'input_text_tokens', quantity: 100, confirmed: true }],
  });
  const cached = { reference: created.reference, tokens: created.tokens };
  const answer = await sandbox.generate({ ...call, cached }, context());
  const plain = await sandbox.generate(call, context());
  const quantity = (usage: typeof answer.usage, unit: string) => usage.find((meter) => meter.unit === unit)?.quantity;
  expect(quantity(answer.usage, 'cached_input_tokens')).toBe(100);
  expect(quantity(answer.usage, 'input_text_tokens')).toBe(quantity(plain.usage, 'input_text_tokens'));
  await sandbox.caches.extend(created.reference, 120, context());
  await sandbox.caches.remove(created.reference, context());
  await sandbox.caches.remove(created.reference, context());
  await expect(sandbox.generate({ ...call, cached }, context())).rejects.toBeInstanceOf(NotExecuted);
  await expect(sandbox.caches.extend(created.reference, 120, context())).rejects.toBeInstanceOf(NotExecuted);
});

test('refuses less than it is asked to keep, and what the name of the cache says', async () => {
  const { caches } = keeping(1_000);
  await expect(caches.create(cacheOf('short'), context())).rejects.toMatchObject({ reason: 'invalid_request' });
  await expect(caches.create(cacheOf('x'.repeat(4_000), '[[sandbox: fail]]'), context())).rejects.toMatchObject({
    reason: 'failed',
  });
  expect((await caches.create(cacheOf('x'.repeat(4_000)), context())).tokens).toBe(1_000);
});

test('keeps an instruction in a cache, counts it, and puts it before a call', async () => {
  const sandbox = keeping();
  const systemInstruction = 'y'.repeat(40);
  const created = await sandbox.caches.create({ ...cacheOf('x'.repeat(400)), systemInstruction }, context());
  expect(created.tokens).toBe(110);
  const cached = { reference: created.reference, tokens: created.tokens };
  const { usage } = await sandbox.generate({ ...call, cached }, context());
  expect(usage.find(({ unit }) => unit === 'cached_input_tokens')?.quantity).toBe(110);
});
