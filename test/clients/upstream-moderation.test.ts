import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { defaultCatalog, type CatalogModel } from '../../packages/contract/src/index.ts';
import type { ModerationCall } from '../../packages/provider/src/index.ts';
import { openaiProvider, type OpenaiProviderOptions } from '../../packages/provider-openai/src/index.ts';
import { startFakeOpenai } from '../../packages/testing/src/fakes.ts';
import { boundModel, startGateway } from './running-gateway.ts';

const judges: readonly CatalogModel[] = defaultCatalog
  .filter(({ id }) => id === boundModel)
  .map((model) => ({ ...model, id: 'judge-1', upstreamId: 'upstream-judge', capabilities: ['moderation'] }));

const result = { flagged: true, categories: { violence: true }, category_scores: { violence: 0.9 } };

/** Asks twice under one identity, and tells what it cost. */
const judge = async (moderation: NonNullable<OpenaiProviderOptions['moderation']>) => {
  const fake = await startFakeOpenai({ otherwise: { kind: 'answer', body: { results: [result] } } });
  const options = {
    provider: openaiProvider({ baseUrl: fake.url, moderation }),
    catalog: judges,
    compatibility: { openai: true },
  };
  const running = await startGateway({ options, model: 'judge-1' });
  onTestFinished(async () => {
    await running.close();
    await fake.close();
  });
  const client = new OpenAI({ baseURL: running.baseUrl, apiKey: running.key, maxRetries: 0 });
  const ask = () =>
    client.moderations
      .create({ model: 'judge-1', input: 'I will kill it.' }, { headers: { 'idempotency-key': 'one' } })
      .asResponse();
  const first = await ask();
  const id = first.headers.get('x-request-id') ?? '';
  const text = await first.text();
  expect(await (await ask()).text()).toBe(text);
  expect(fake.requests.map(({ body }) => body)).toEqual([{ model: 'upstream-judge', input: ['I will kill it.'] }]);
  return { text, operation: await running.gateway.admin.readOperation(id) };
};

test('a moderation of an upstream that counts nothing is free, and runs once', async () => {
  const { text, operation } = await judge('free');
  expect(JSON.parse(text)).toMatchObject({ results: [{ flagged: true, categories: { violence: true } }] });
  expect(operation).toMatchObject({ state: 'completed', attempts: [{ provider: 'openai', outcome: 'answered' }] });
  expect(JSON.parse(text)).toMatchObject({ service: { credits: 0 } });
});

test('a moderation is charged by the count of the host', async () => {
  const { text } = await judge(({ inputs }: ModerationCall) => [
    { unit: 'input_text_tokens', quantity: 4 * inputs.length, confirmed: true },
  ]);
  expect(JSON.parse(text)).toMatchObject({ service: { credits: 0.000_004 } });
});
