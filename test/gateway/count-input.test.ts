import { memoryStorage } from '@tollgate/storage-memory';
import { scriptedProvider, type ScriptedStep } from '@tollgate/testing/fakes';
import { createGateway, silentLogger, type GatewayOptions } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { mediaSamples } from '../clients/media-samples.ts';

const tariff = {
  version: 'counting',
  models: { '*': { perMillion: { input_text_tokens: '1', input_image_tokens: '1000', output_text_tokens: '0' } } },
};

const image = { inlineData: { mimeType: 'image/png', data: mediaSamples.png } };

/** A gateway with an account that can pay, and its clients' way in. */
const openGateway = async (options: GatewayOptions) => {
  const gateway = await createGateway({ storage: memoryStorage(), logger: silentLogger, ...options });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  const { admin, jobs } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'Counting' });
  await admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'Counting' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  const post = (path: string, body: unknown): Promise<Response> =>
    gateway.fetch(
      new Request(`http://gateway.test/api/v1/ai${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  return { admin, jobs, accountId, post };
};

/** What is set aside for one call while it runs, in credits of which an image token costs a thousandth. */
const heldFor = async (
  part: object,
  countSteps: readonly ScriptedStep[],
  more: GatewayOptions = {},
): Promise<number> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const provider = scriptedProvider({ countSteps, steps: [{ kind: 'wait', until, next: { kind: 'answer' } }] });
  const { admin, accountId, post } = await openGateway({ provider, tariff, ...more });
  const answer = post('/models/flash-2.5:generateContent', { contents: [{ role: 'user', parts: [part] }] });
  await provider.received(1);
  const wallet = await admin.readWallet(accountId);
  resolve();
  expect((await answer).status).toBe(200);
  return Number(wallet?.reservedMicros ?? -1n) / 1_000_000;
};

const counted = (quantity: number): ScriptedStep => ({
  kind: 'answer',
  tokens: [{ unit: 'input_image_tokens', quantity, confirmed: true }],
});

const textCounted = (quantity: number): ScriptedStep => ({
  kind: 'answer',
  tokens: [{ unit: 'input_text_tokens', quantity, confirmed: true }],
});

const cacheTariff = {
  version: 'counting-caches',
  models: {
    '*': { perMillion: { ...tariff.models['*'].perMillion, cached_input_tokens: '0', cache_token_seconds: '0' } },
  },
};

test('reserves for media what the provider counts', async () => {
  expect(await heldFor(image, [counted(258)])).toBe(0.258);
});

test('reserves a bound where the provider cannot count now', async () => {
  expect(await heldFor(image, [{ kind: 'unknown' }])).toBeCloseTo(2.6, 3);
  expect(await heldFor(image, [{ kind: 'not_executed', reason: 'rate_limited' }])).toBeCloseTo(2.6, 3);
});

test('asks for text only where the host wants it, and for nothing where it does not', async () => {
  expect(await heldFor({ text: 'Hello' }, [counted(258)])).toBeLessThan(0.01);
  expect(await heldFor({ text: 'Hello' }, [counted(258)], { countInput: 'always' })).toBe(0.258);
  expect(await heldFor(image, [counted(258)], { countInput: 'never' })).toBeCloseTo(2.6, 3);
});

test('tells clients of Google that ask for the size of a prompt what the provider counts, else the bound of a hold', async () => {
  const provider = scriptedProvider({ countSteps: [textCounted(40), { kind: 'unknown' }], steps: [] });
  const { post } = await openGateway({ provider, tariff, countInput: 'always', compatibility: { google: true } });
  const ask = async (): Promise<unknown> => {
    const answer = await post('/v1beta/models/flash-2.5:countTokens', { contents: contentsOf('a'.repeat(160)) });
    return answer.json();
  };
  expect(await ask()).toEqual({ totalTokens: 40, promptTokensDetails: [{ modality: 'TEXT', tokenCount: 40 }] });
  expect(await ask()).toMatchObject({ promptTokensDetails: [{ modality: 'TEXT' }] });
});

const contentsOf = (text: string) => [{ role: 'user', parts: [{ text }] }];

const idIn = (body: string, name: string): string => new RegExp(`"${name}":"([^"]+)"`).exec(body)?.[1] ?? body;

test.each([
  ['all of what the provider counted', [textCounted(40)], 40],
  ['one word for certain where the provider cannot count', [{ kind: 'unknown' }], 1],
] as const)('reads of a cache that it keeps itself %s', async (_, countSteps, read) => {
  const usage = [{ unit: 'input_text_tokens', quantity: 50, confirmed: true }] as const;
  const provider = scriptedProvider({ countSteps, steps: [{ kind: 'answer', generation: { usage } }] });
  const { admin, jobs, post } = await openGateway({ provider, tariff: cacheTariff });
  const cache = await (await post('/caches', { ttl_seconds: 60, contents: contentsOf('a'.repeat(160)) })).text();
  await jobs.runDue();
  // Of 100 bytes of its own, a call may have 108 tokens: more than were measured.
  const call = { contents: contentsOf('1'.repeat(100)), cachedContent: `caches/${idIn(cache, 'id')}` };
  const answer = await (await post('/models/flash-2.5:generateContent', call)).text();
  const operation = await admin.readOperation(idIn(answer, 'request_id'));
  expect(operation?.usage).toEqual([
    { unit: 'input_text_tokens', quantity: 50 - read },
    { unit: 'cached_input_tokens', quantity: read },
  ]);
});
