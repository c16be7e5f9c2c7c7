import { AIMessage, HumanMessage, SystemMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI, type ChatOpenAIFields } from '@langchain/openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createModel } from '../../docs/snippets/langchain-client.ts';
import { z } from 'zod';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

const askWeather = '[[sandbox: tool get_weather {"city":"Lisbon"}]]';
const City = z.object({ name: z.string(), people: z.number() });
const lisbon = { name: 'Lisbon', people: 5 };
const askCity = `[[sandbox: json ${JSON.stringify(lisbon)}]]`;

const weather = tool(({ city }: { city: string }) => `Rain in ${city}.`, {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  schema: z.object({ city: z.string() }),
});

// Its retries send no identity, so it is advised not to make any.
const modelOf = (running: RunningGateway, rest: Partial<ChatOpenAIFields> = {}): ChatOpenAI =>
  new ChatOpenAI({
    model: boundModel,
    apiKey: running.key,
    configuration: { baseURL: running.baseUrl },
    maxRetries: 0,
    ...rest,
  });

interface CallError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

const errorOf = async (promise: Promise<unknown>): Promise<CallError> => {
  const error: unknown = await promise.then(
    () => undefined,
    (cause: unknown) => cause,
  );
  expect(error).toBeInstanceOf(Error);
  return error as CallError;
};

describe.each([
  ['strict', false],
  ['with the compatibility option', true],
] as const)('LangChain, %s', (_, openai) => {
  let running: RunningGateway;
  let model: ChatOpenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai } } });
    model = modelOf(running);
  });
  afterAll(async () => {
    await running.close();
  });

  test('invokes [chat:compat:openai-sdk]', async () => {
    const message = await model.invoke([
      new SystemMessage('Be brief.'),
      new HumanMessage('[[sandbox: echo Good night.]]'),
    ]);
    expect(message.content).toBe('Good night.');
    expect(message.response_metadata['finish_reason']).toBe('stop');
  });

  test('streams, with usage at the end [chat:compat:openai-sdk] [stream:chat:usage]', async () => {
    const texts: string[] = [];
    let usage: unknown;
    for await (const chunk of await model.stream('[[sandbox: echo Piece.]] [[sandbox: tokens in=20 out=22]]')) {
      texts.push(chunk.text);
      usage = chunk.usage_metadata ?? usage;
    }
    expect(texts.join('')).toBe('Piece.');
    expect(usage).toMatchObject({ total_tokens: 42 });
  });

  test('proposes tool calls [chat:response:tool-calls-several]', async () => {
    const message = await model.bindTools([weather]).invoke(`${askWeather} ${askWeather}`);
    expect(message.tool_calls?.map(({ name, args }) => ({ name, args }))).toEqual([
      { name: 'get_weather', args: { city: 'Lisbon' } },
      { name: 'get_weather', args: { city: 'Lisbon' } },
    ]);
  });

  test('streams tool calls [stream:chat:tool-call-index]', async () => {
    let whole: Awaited<ReturnType<typeof model.invoke>> | undefined;
    for await (const chunk of await model.bindTools([weather]).stream(askWeather))
      whole = whole === undefined ? chunk : whole.concat(chunk);
    expect(whole?.tool_calls).toMatchObject([{ name: 'get_weather', args: { city: 'Lisbon' } }]);
  });

  test('takes history and an image [chat:part:image-data-url]', async () => {
    const url = `data:image/png;base64,${mediaSamples.png}`;
    const message = await model.invoke([
      new HumanMessage('Hi'),
      new AIMessage('Hello.'),
      new HumanMessage({
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'image_url', image_url: { url } },
        ],
      }),
    ]);
    expect(message.text).toContain('Media image/png of 70 bytes');
  });

  test('reads errors, with one request for a refused model [errors:code:mismatch-is-422] [errors:compat:openai-error]', async () => {
    const before = running.wire.length;
    const error = await errorOf(modelOf(running, { model: 'pro-2.5' }).invoke('Hi'));
    expect([error.status, error.code]).toEqual([422, 'model_key_mismatch']);
    const failed = await errorOf(model.invoke('[[sandbox: fail]]'));
    expect([failed.status, failed.code]).toEqual([502, 'request_failed']);
    expect(running.wire).toHaveLength(before + 2);
  });

  test('replays under the same key [idempotency:replay:equal-answer]', async () => {
    const before = running.calls.length;
    const options = { options: { headers: { 'Idempotency-Key': `langchain-${openai}` } } };
    const [first, second] = [await model.invoke('Once.', options), await model.invoke('Once.', options)];
    expect(second.text).toBe(first.text);
    expect(lastOf(running.wire).answer.headers['idempotency-replayed']).toBe('true');
    expect(running.calls).toHaveLength(before + 1);
  });
});

describe('LangChain with the compatibility option, beyond the contract', () => {
  let running: RunningGateway;
  let model: ChatOpenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai: true } } });
    model = modelOf(running);
  });
  afterAll(async () => {
    await running.close();
  });

  test('the model of the page asks once, and does not repeat what failed', async () => {
    const shown = createModel(running.baseUrl, running.key);
    expect((await shown.invoke('[[sandbox: echo Good day.]]')).text).toBe('Good day.');
    const before = running.wire.length;
    await expect(shown.invoke('[[sandbox: fail]]')).rejects.toThrow('502');
    expect(running.wire.length - before).toBe(1);
  });

  test('runs a tool loop, which sends empty content and drops the context [chat:compat:openai] [chat:message:assistant-empty-forms] [chat:message:context-fallback]', async () => {
    const bound = model.bindTools([weather]);
    const messages: BaseMessage[] = [new HumanMessage(askWeather)];
    const first = await bound.invoke(messages);
    messages.push(first);
    for (const call of first.tool_calls ?? []) {
      const answer: unknown = await weather.invoke(call);
      expect(answer).toBeInstanceOf(ToolMessage);
      messages.push(answer as ToolMessage);
    }
    const second = await bound.invoke(messages);
    expect(second.text).toContain('Rain in Lisbon.');
    expect(second.text).toContain('context: ok.');
    expect(lastOf(running.wire).sent).not.toContain('"context"');
  });

  test.each(['jsonSchema', 'jsonMode', 'functionCalling'] as const)(
    'answers structured output by %s [chat:compat:openai]',
    async (method) => {
      const structured = model.withStructuredOutput(City, { method, name: 'city' });
      const ask = method === 'functionCalling' ? `[[sandbox: tool city ${JSON.stringify(lisbon)}]]` : askCity;
      expect(await structured.invoke(ask)).toEqual(lisbon);
    },
  );

  test('hands sampling settings and the output limit to the provider, and reads usage [chat:compat:openai]', async () => {
    const message = await modelOf(running, {
      temperature: 0.25,
      topP: 0.5,
      maxTokens: 6,
      stop: ['END'],
    }).invoke('[[sandbox: echo ok]]');
    expect(lastOf(running.calls)).toMatchObject({
      outputTokensMax: 6,
      sampling: { temperature: 0.25, topP: 0.5, stopSequences: ['END'] },
    });
    expect(message.usage_metadata).toMatchObject({ output_tokens: 1 });
  });
});

describe('LangChain without the compatibility option', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway();
  });
  afterAll(async () => {
    await running.close();
  });

  test.each([
    [{ topP: 0.5 }, 'top_p'],
    [{ maxTokens: 5 }, 'max_tokens'],
    [{ stop: ['END'] }, 'stop'],
  ])('is refused %j by its wire name [chat:compat:openai] [chat:request:unsupported-field]', async (fields, name) => {
    const error = await errorOf(modelOf(running, fields).invoke('Hi'));
    expect([error.status, error.code]).toEqual([422, 'unsupported_parameter']);
    expect(error.message).toContain(name);
    expect(running.calls).toEqual([]);
  });

  test('is refused a strict schema [chat:compat:openai]', async () => {
    const structured = modelOf(running).withStructuredOutput(City, {
      method: 'jsonSchema',
      name: 'city',
      strict: true,
    });
    const error = await errorOf(structured.invoke(askCity));
    expect([error.status, error.code]).toEqual([422, 'unsupported_parameter']);
  });
});
