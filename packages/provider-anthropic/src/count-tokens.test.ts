import { sampleCaller, startFakeAnthropic } from '@tollgate/testing/fakes';
import { plainCall } from '@tollgate/testing/provider';
import { expect, onTestFinished, test } from 'vitest';
import { anthropicProvider } from './anthropic-provider.ts';

test('counts the input alone, with its tools, and without what only an answer needs', async () => {
  const fake = await startFakeAnthropic();
  onTestFinished(() => fake.close());
  fake.script({ kind: 'status', status: 200, body: { input_tokens: 41 } });
  const provider = anthropicProvider({ apiKey: 'k', baseUrl: fake.url });
  const call = { ...plainCall, systemInstruction: 'Be brief.', sampling: { temperature: 0.5 } };
  const { signal } = new AbortController();
  const usage = await provider.countTokens(call, { caller: sampleCaller, signal, recordAttempt: () => {} });
  expect(usage).toEqual([{ unit: 'input_text_tokens', quantity: 41, confirmed: true }]);
  const request = fake.requests.at(-1);
  expect(request?.path).toBe('/v1/messages/count_tokens');
  expect(request?.body).toEqual({
    model: 'upstream-model',
    system: 'Be brief.',
    messages: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [{ name: 'f', input_schema: { type: 'object' } }],
    tool_choice: { type: 'auto' },
  });
});
