import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { generateText, isStepCount, Output, streamText, tool, type LanguageModel } from 'ai';
import { z } from 'zod';

/** With an identity the client's retries are safe. Without one each would be an operation of its own, and paid. */
const identified = (): { readonly headers: { readonly 'Idempotency-Key': string } } => ({
  headers: { 'Idempotency-Key': randomUUID() },
});

export const text = async (model: LanguageModel): Promise<void> => {
  const answer = await generateText({
    model,
    system: 'Be brief.',
    prompt: '[[sandbox: echo Hello]]',
    maxOutputTokens: 64,
    ...identified(),
  });
  assert.equal(answer.text, 'Hello');
  assert.equal(answer.finishReason, 'stop');
  assert.ok((answer.usage.inputTokens ?? 0) > 0);
  // The operation's id: by it the answer can be read again from its record.
  assert.match(answer.response.headers?.['x-request-id'] ?? '', /^[0-9a-f-]{36}$/);
};

/** Chat completions come in one piece once they are paid, generated content piece by piece. */
export const stream = async (model: LanguageModel): Promise<void> => {
  const answer = streamText({
    model,
    prompt: '[[sandbox: stream 4]] [[sandbox: echo Hello in a stream]]',
    ...identified(),
  });
  let streamed = '';
  for await (const piece of answer.textStream) streamed += piece;
  assert.equal(streamed, 'Hello in a stream');
  assert.equal(await answer.finishReason, 'stop');
  assert.ok(((await answer.usage).outputTokens ?? 0) > 0);
};

/** The loop sends the same headers on every step, so that an identity would be one for different bodies: none is sent. */
export const tools = async (model: LanguageModel): Promise<void> => {
  const asked: string[] = [];
  const answer = await generateText({
    model,
    prompt: '[[sandbox: tool get_weather {"city":"Lisbon"}]] [[sandbox: tool get_weather {"city":"Porto"}]]',
    maxRetries: 0,
    stopWhen: isStepCount(3),
    tools: {
      get_weather: tool({
        description: 'The weather in a city.',
        inputSchema: z.object({ city: z.string() }),
        execute: ({ city }) => {
          asked.push(city);
          return `Rain in ${city}.`;
        },
      }),
    },
  });
  assert.deepEqual(asked, ['Lisbon', 'Porto']);
  assert.equal(answer.steps.length, 2);
  assert.match(answer.text, /Rain in Lisbon\..*Rain in Porto\./);
};

const City = z.object({ name: z.string(), people: z.number() });

export const object = async (model: LanguageModel): Promise<void> => {
  const request = {
    model,
    prompt: 'Which is the largest city of Portugal? [[sandbox: json {"name":"Lisbon","people":545796}]]',
    output: Output.object({ schema: City }),
  };
  const whole = await generateText({ ...request, ...identified() });
  assert.deepEqual(whole.output, { name: 'Lisbon', people: 545_796 });
  const streamed = streamText({ ...request, ...identified() });
  assert.deepEqual(await streamed.output, whole.output);
};
