import { createAnthropic } from '@ai-sdk/anthropic';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatOpenAI } from '@langchain/openai';
import { streamText, type LanguageModel } from 'ai';
import OpenAI from 'openai';
import { boundModel } from './running-gateway.ts';

/** Where a client sends its requests. */
export interface ClientTarget {
  /** Ends in the base path. */
  readonly baseUrl: string;
  readonly key: string;
  /** How often it may repeat a request; its own default if absent. */
  readonly maxRetries?: number;
}

/** A client that reads a stream of a prompt to its end. */
export interface StreamClient {
  readonly name: string;
  readonly wire: 'chat' | 'responses' | 'messages';
  /** Resolves with the text where the client takes the stream for a success; rejects where it reports an error. */
  readonly read: (target: ClientTarget, prompt: string) => Promise<string>;
}

const openai = ({ baseUrl, key, ...rest }: ClientTarget): OpenAI =>
  new OpenAI({ baseURL: baseUrl, apiKey: key, ...rest });
const anthropic = ({ baseUrl, key, ...rest }: ClientTarget): Anthropic =>
  new Anthropic({ baseURL: baseUrl, apiKey: key, ...rest });
const user = (content: string) => [{ role: 'user' as const, content }];
const asMessage = (prompt: string) => ({ model: boundModel, max_tokens: 500, messages: user(prompt) });

/** The library reports an error of a stream to its callback, and its promises reject. */
const readAiSdk = async (
  model: LanguageModel,
  prompt: string,
  rest: Pick<ClientTarget, 'maxRetries'>,
): Promise<string> => {
  let failure: unknown;
  const result = streamText({
    model,
    prompt,
    ...rest,
    onError: ({ error }) => {
      failure = error;
    },
  });
  const text = await result.text;
  if (failure !== undefined) throw failure;
  return text;
};

/** An event of failure is an event like others to one who reads the raw stream: its caller looks at the type. */
const readResponseEvents = async (target: ClientTarget, prompt: string): Promise<string> => {
  let text = '';
  for await (const event of await openai(target).responses.create({ model: boundModel, input: prompt, stream: true })) {
    if (event.type === 'response.failed') throw new Error(event.response.error?.message);
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type === 'response.completed') return text;
  }
  throw new Error('the stream ended without an event that says so');
};

/** Whether a client took what it read for a success. */
export const outcomeOf = (reading: Promise<string>): Promise<'success' | 'error'> =>
  reading.then(
    () => 'success',
    () => 'error',
  );

export const streamClients: readonly StreamClient[] = [
  {
    name: 'openai, chat, raw',
    wire: 'chat',
    read: async (target, prompt) => {
      let text = '';
      const asked = { model: boundModel, messages: user(prompt), stream: true } as const;
      for await (const { choices } of await openai(target).chat.completions.create(asked))
        text += choices[0]?.delta.content ?? '';
      return text;
    },
  },
  {
    name: 'openai, chat, accumulator',
    wire: 'chat',
    read: async (target, prompt) => {
      const stream = openai(target).chat.completions.stream({ model: boundModel, messages: user(prompt) });
      return (await stream.finalChatCompletion()).choices[0]?.message.content ?? '';
    },
  },
  { name: 'openai, Responses, raw', wire: 'responses', read: readResponseEvents },
  {
    name: 'openai, Responses, accumulator',
    wire: 'responses',
    read: async (target, prompt) => {
      const response = await openai(target).responses.stream({ model: boundModel, input: prompt }).finalResponse();
      // A response that failed is returned like others: its caller looks at the status.
      if (response.status !== 'completed') throw new Error(response.error?.message ?? response.status);
      return response.output_text;
    },
  },
  {
    name: '@anthropic-ai/sdk, raw',
    wire: 'messages',
    read: async (target, prompt) => {
      let text = '';
      for await (const event of await anthropic(target).messages.create({ ...asMessage(prompt), stream: true }))
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
      return text;
    },
  },
  {
    name: '@anthropic-ai/sdk, accumulator',
    wire: 'messages',
    read: (target, prompt) => anthropic(target).messages.stream(asMessage(prompt)).finalText(),
  },
  {
    name: '@ai-sdk/openai-compatible',
    wire: 'chat',
    read: ({ baseUrl, key, ...rest }, prompt) =>
      readAiSdk(createOpenAICompatible({ name: 'gateway', baseURL: baseUrl, apiKey: key })(boundModel), prompt, rest),
  },
  {
    name: '@ai-sdk/anthropic',
    wire: 'messages',
    read: ({ baseUrl, key, ...rest }, prompt) =>
      readAiSdk(createAnthropic({ baseURL: `${baseUrl}/v1`, apiKey: key })(boundModel), prompt, rest),
  },
  {
    name: '@langchain/openai',
    wire: 'chat',
    read: async ({ baseUrl, key, ...rest }, prompt) => {
      const model = new ChatOpenAI({ model: boundModel, apiKey: key, configuration: { baseURL: baseUrl }, ...rest });
      let text = '';
      for await (const chunk of await model.stream(prompt)) text += chunk.text;
      return text;
    },
  },
  {
    name: '@langchain/anthropic',
    wire: 'messages',
    read: async ({ baseUrl, key, ...rest }, prompt) => {
      const model = new ChatAnthropic({ model: boundModel, apiKey: key, anthropicApiUrl: baseUrl, ...rest });
      let text = '';
      for await (const chunk of await model.stream(prompt)) text += chunk.text;
      return text;
    },
  },
];
