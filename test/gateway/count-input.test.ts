import { memoryStorage } from '@tollgate/storage-memory';
import { scriptedProvider, type ScriptedStep } from '@tollgate/testing';
import { createGateway, silentLogger, type GatewayOptions } from 'tollgate';
import { expect, onTestFinished, test } from 'vitest';
import { mediaSamples } from '../clients/media-samples.ts';

const tariff = {
  version: 'counting',
  models: { '*': { perMillion: { input_text_tokens: '1', input_image_tokens: '1000', output_text_tokens: '0' } } },
};

const image = { inlineData: { mimeType: 'image/png', data: mediaSamples.png } };

/** What is set aside for one call while it runs, in credits of which an image token costs a thousandth. */
const heldFor = async (
  part: object,
  countSteps: readonly ScriptedStep[],
  more: GatewayOptions = {},
): Promise<number> => {
  const { promise: until, resolve } = Promise.withResolvers<void>();
  const provider = scriptedProvider({ countSteps, steps: [{ kind: 'wait', until, next: { kind: 'answer' } }] });
  const gateway = await createGateway({ storage: memoryStorage(), provider, tariff, logger: silentLogger, ...more });
  onTestFinished(() => gateway.close({ drainMs: 0 }));
  const { admin } = gateway;
  const { id: accountId } = await admin.createAccount({ name: 'Counting' });
  await admin.deposit({ accountId, amountMicros: 1_000_000_000n, reference: 'first' });
  const project = await admin.createProject({ accountId, name: 'Counting' });
  const key = project === null ? null : await admin.createKey({ projectId: project.id, model: 'flash-2.5' });
  const answer = gateway.fetch(
    new Request('http://gateway.test/api/v1/ai/models/flash-2.5:generateContent', {
      method: 'POST',
      headers: { authorization: `Bearer ${key?.key ?? ''}`, 'content-type': 'application/json' },
      body: JSON.stringify({ contents: [{ role: 'user', parts: [part] }] }),
    }),
  );
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
