import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { GoogleGenAI } from '@google/genai';
import { ChatAnthropic } from '@langchain/anthropic';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { streamText, type LanguageModel } from 'ai';
import OpenAI from 'openai';

/** Where a client sends its requests, and what they ask for. */
export interface ClientTarget {
  /** Ends in the base path. */
  readonly baseUrl: string;
  readonly key: string;
  readonly model: string;
  /** The client's own default if absent. */
  readonly temperature?: number;
  /** How often it may repeat a request; its own default if absent. */
  readonly maxRetries?: number;
}

/** A client that reads a stream of a prompt to its end. */
export interface StreamClient {
  readonly name: string;
  readonly wire: 'chat' | 'responses' | 'messages' | 'generate';
  /** Resolves with the text where the client takes the stream for a success; rejects where it reports an error. */
  readonly read: (target: ClientTarget, prompt: string) => Promise<string>;
}

/** What every request of a client holds. */
const asked = ({ model, temperature }: ClientTarget) => ({ model, ...(temperature !== undefined && { temperature }) });
/** How a client repeats what it sends. */
const repeats = ({ maxRetries }: ClientTarget) => (maxRetries === undefined ? {} : { maxRetries });

const openai = (target: ClientTarget): OpenAI =>
  new OpenAI({ baseURL: target.baseUrl, apiKey: target.key, ...repeats(target) });
const anthropic = (target: ClientTarget): Anthropic =>
  new Anthropic({ baseURL: target.baseUrl, apiKey: target.key, ...repeats(target) });
const user = (content: string) => [{ role: 'user' as const, content }];
const asMessage = (target: ClientTarget, prompt: string) => ({
  ...asked(target),
  max_tokens: 500,
  messages: user(prompt),
});

/** The library reports an error of a stream to its callback, and its promises reject. */
const readAiSdk = async (model: LanguageModel, target: ClientTarget, prompt: string): Promise<string> => {
  let failure: unknown;
  const result = streamText({
    ...asked(target),
    ...repeats(target),
    model,
    prompt,
    onError: ({ error }) => {
      failure = error;
    },
  });
  const text = await result.text;
  if (failure !== undefined) throw failure;
  return text;
};

/** Reads the pieces of one of LangChain's models, and the metadata of its response. */
const readLangChain = async (model: ChatOpenAI | ChatAnthropic | ChatGoogleGenerativeAI, prompt: string) => {
  let text = '';
  const metadata: Record<string, unknown> = {};
  for await (const chunk of await model.stream(prompt)) {
    text += chunk.text;
    Object.assign(metadata, chunk.response_metadata);
  }
  return { text, metadata };
};

/** An event of failure is an event like others to one who reads the raw stream: its caller looks at the type. */
const readResponseEvents = async (target: ClientTarget, prompt: string): Promise<string> => {
  let text = '';
  for await (const event of await openai(target).responses.create({ ...asked(target), input: prompt, stream: true })) {
    if (event.type === 'response.failed') throw new Error(event.response.error?.message);
    if (event.type === 'response.output_text.delta') text += event.delta;
    if (event.type === 'response.completed') return text;
  }
  throw new Error('the stream ended without an event that says so');
};

const openaiClients: readonly StreamClient[] = [
  {
    name: 'openai, chat, raw',
    wire: 'chat',
    read: async (target, prompt) => {
      let text = '';
      const body = { ...asked(target), messages: user(prompt), stream: true } as const;
      for await (const { choices } of await openai(target).chat.completions.create(body))
        text += choices[0]?.delta.content ?? '';
      return text;
    },
  },
  {
    name: 'openai, chat, accumulator',
    wire: 'chat',
    read: async (target, prompt) => {
      const stream = openai(target).chat.completions.stream({ ...asked(target), messages: user(prompt) });
      return (await stream.finalChatCompletion()).choices[0]?.message.content ?? '';
    },
  },
  { name: 'openai, Responses, raw', wire: 'responses', read: readResponseEvents },
  {
    name: 'openai, Responses, accumulator',
    wire: 'responses',
    read: async (target, prompt) => {
      const response = await openai(target)
        .responses.stream({ ...asked(target), input: prompt })
        .finalResponse();
      // A response that failed is returned like others: its caller looks at the status.
      if (response.status !== 'completed') throw new Error(response.error?.message ?? response.status);
      return response.output_text;
    },
  },
];

const anthropicClients: readonly StreamClient[] = [
  {
    name: '@anthropic-ai/sdk, raw',
    wire: 'messages',
    read: async (target, prompt) => {
      let text = '';
      const body = { ...asMessage(target, prompt), stream: true } as const;
      for await (const event of await anthropic(target).messages.create(body))
        if (event.type === 'content_block_delta' && event.delta.type === 'text_delta') text += event.delta.text;
      return text;
    },
  },
  {
    name: '@anthropic-ai/sdk, accumulator',
    wire: 'messages',
    read: (target, prompt) => anthropic(target).messages.stream(asMessage(target, prompt)).finalText(),
  },
];

const aiSdkClients: readonly StreamClient[] = [
  {
    name: '@ai-sdk/openai-compatible',
    wire: 'chat',
    read: (target, prompt) => {
      const { baseUrl, key, model } = target;
      const provider = createOpenAICompatible({ name: 'gateway', baseURL: baseUrl, apiKey: key });
      return readAiSdk(provider(model), target, prompt);
    },
  },
  {
    name: '@ai-sdk/anthropic',
    wire: 'messages',
    read: (target, prompt) => {
      const { baseUrl, key, model } = target;
      return readAiSdk(createAnthropic({ baseURL: `${baseUrl}/v1`, apiKey: key })(model), target, prompt);
    },
  },
  {
    name: '@ai-sdk/google',
    wire: 'generate',
    read: (target, prompt) => {
      const { baseUrl, key, model } = target;
      return readAiSdk(createGoogleGenerativeAI({ baseURL: `${baseUrl}/v1beta`, apiKey: key })(model), target, prompt);
    },
  },
];

const langChainClients: readonly StreamClient[] = [
  {
    name: '@langchain/openai',
    wire: 'chat',
    read: async (target, prompt) => {
      const configuration = { baseURL: target.baseUrl };
      const model = new ChatOpenAI({ ...asked(target), ...repeats(target), apiKey: target.key, configuration });
      return (await readLangChain(model, prompt)).text;
    },
  },
  {
    name: '@langchain/anthropic',
    wire: 'messages',
    read: async (target, prompt) => {
      const { baseUrl: anthropicApiUrl, key: apiKey } = target;
      const model = new ChatAnthropic({ ...asked(target), ...repeats(target), apiKey, anthropicApiUrl });
      return (await readLangChain(model, prompt)).text;
    },
  },
  {
    name: '@langchain/google-genai',
    wire: 'generate',
    read: async (target, prompt) => {
      const { baseUrl, key: apiKey } = target;
      const model = new ChatGoogleGenerativeAI({ ...asked(target), ...repeats(target), apiKey, baseUrl });
      const { text, metadata } = await readLangChain(model, prompt);
      // It passes over an event without candidates, as that of an error is: its caller looks at the reason of the end.
      if (metadata['finishReason'] === undefined) throw new Error('the stream ended without a reason');
      return text;
    },
  },
];

const googleClients: readonly StreamClient[] = [
  {
    name: '@google/genai',
    wire: 'generate',
    read: async (target, prompt) => {
      const { baseUrl, key: apiKey, temperature, model } = target;
      const { models } = new GoogleGenAI({ apiKey, httpOptions: { baseUrl } });
      const config = temperature === undefined ? {} : { temperature };
      let text = '';
      for await (const chunk of await models.generateContentStream({ model, contents: prompt, config }))
        text += chunk.text ?? '';
      return text;
    },
  },
];

export const streamClients: readonly StreamClient[] = [
  ...openaiClients,
  ...anthropicClients,
  ...googleClients,
  ...aiSdkClients,
  ...langChainClients,
];
