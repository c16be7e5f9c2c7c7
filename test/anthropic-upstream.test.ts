// The vendor's own client, a gateway, and an upstream that speaks the same wire: what one side says, the other hears.
import Anthropic, { APIError } from '@anthropic-ai/sdk';
import { expect, onTestFinished, test } from 'vitest';
import * as shown from '../docs/snippets/anthropic-client.ts';
import { carefulAnthropic, openWithAnthropic } from '../docs/snippets/anthropic-provider.ts';
import { anthropicProvider, type AnthropicProviderOptions } from '../packages/provider-anthropic/src/index.ts';
import {
  fakeAnthropicError,
  fakeMessage,
  fakeMessageEvents,
  fakeMessageUsage,
  startFakeAnthropic,
  type FakeAnthropic,
} from '../packages/testing/src/fakes.ts';
import { serve } from '../packages/node/src/index.ts';
import { memoryStorage } from '../packages/storage-memory/src/index.ts';
import { silentLogger } from '../packages/tollgate/src/index.ts';
import { boundModel, startGateway, type RunningGateway } from './clients/running-gateway.ts';
import { ask as askChat, openCustomer } from './snippets/snippet-world.ts';

const upstreamKey = 'sk-ant-of-the-host';

interface World {
  readonly fake: FakeAnthropic;
  readonly running: RunningGateway;
  readonly client: Anthropic;
}

const open = async (options: Partial<AnthropicProviderOptions> = {}): Promise<World> => {
  const fake = await startFakeAnthropic();
  const provider = anthropicProvider({ baseUrl: fake.url, apiKey: upstreamKey, ...options });
  const running = await startGateway({ options: { provider, compatibility: { anthropic: true } } });
  onTestFinished(async () => {
    await running.close();
    await provider.close();
    await fake.close();
  });
  return { fake, running, client: new Anthropic({ apiKey: running.key, baseURL: running.baseUrl, maxRetries: 0 }) };
};

const tools: Anthropic.Tool[] = [
  { name: 'get_weather', description: 'Weather.', input_schema: { type: 'object', properties: { city: {} } } },
];
const question: Anthropic.MessageParam = { role: 'user', content: 'Faro and Porto?' };
const thoughts = [
  { type: 'thinking', thinking: 'Two cities.', signature: 'c2lnbmF0dXJl' },
  { type: 'redacted_thinking', data: 'ZW5jcnlwdGVk' },
];
const calls = ['Faro', 'Porto'].map((city) => ({
  type: 'tool_use',
  id: `toolu_${city}`,
  name: 'get_weather',
  input: { city },
}));
const proposal = fakeMessage([...thoughts, { type: 'text', text: 'I look.' }, ...calls], {
  stop_reason: 'tool_use',
  usage: fakeMessageUsage({
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 12,
    output_tokens_details: { thinking_tokens: 5 },
  }),
});

const asked = (messages: Anthropic.MessageParam[]): Anthropic.MessageCreateParamsNonStreaming => ({
  model: boundModel,
  max_tokens: 4_000,
  system: 'Be brief.',
  messages,
  tools,
  thinking: { type: 'adaptive' },
});

const resultsOf = ({ content }: Anthropic.Message): Anthropic.MessageParam => ({
  role: 'user',
  content: content.flatMap((block) =>
    block.type === 'tool_use' ? [{ type: 'tool_result' as const, tool_use_id: block.id, content: 'Rain.' }] : [],
  ),
});

const textIn = ({ content }: Anthropic.Message): string =>
  content.map((block) => (block.type === 'text' ? block.text : '')).join('');

type Ask = (client: Anthropic, messages: Anthropic.MessageParam[]) => Promise<Anthropic.Message>;
const whole: Ask = async (client, messages) => client.messages.create(asked(messages));
const streamed: Ask = async (client, messages) => client.messages.stream(asked(messages)).finalMessage();

test.each([
  ['whole', whole],
  ['streamed', streamed],
])('the client, the gateway and the upstream keep tools and thoughts over two turns, %s', async (_, ask) => {
  const { fake, client } = await open();
  fake.script({ kind: 'answer', message: proposal }, { kind: 'answer' });
  const first = await ask(client, [question]);
  expect(first.stop_reason).toBe('tool_use');
  expect(first.content.map(({ type }) => type)).toEqual(['thinking', 'thinking', 'text', 'tool_use', 'tool_use']);
  expect(first.content[0]).toMatchObject({ thinking: 'Two cities.' });
  expect(first.usage).toMatchObject({
    input_tokens: 100,
    cache_read_input_tokens: 30,
    cache_creation_input_tokens: 12,
    output_tokens: 20,
  });

  const second = await ask(client, [question, { role: 'assistant', content: first.content }, resultsOf(first)]);
  expect([textIn(second), second.stop_reason]).toEqual(['Hello from upstream.', 'end_turn']);
  expect(fake.requests.at(-1)?.body).toMatchObject({
    max_tokens: 4_000,
    system: 'Be brief.',
    thinking: { type: 'adaptive', display: 'summarized' },
    tools: [{ name: 'get_weather', description: 'Weather.' }],
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'Faro and Porto?' }] },
      { role: 'assistant', content: [...thoughts, { type: 'text', text: 'I look.' }, ...calls] },
      {
        role: 'user',
        content: ['Faro', 'Porto'].map((city) => ({ type: 'tool_result', tool_use_id: `toolu_${city}` })),
      },
    ],
  });
});

test('no client sees the state of a thought open, nor the key of the host', async () => {
  const { fake, client, running } = await open();
  fake.script({ kind: 'answer', message: proposal });
  await whole(client, [question]);
  const answers = running.wire.map(({ answer }) => JSON.stringify(answer)).join();
  for (const secret of ['c2lnbmF0dXJl', 'ZW5jcnlwdGVk', upstreamKey]) expect(answers).not.toContain(secret);
});

test('the client learns that the upstream is overloaded, and no hold is left', async () => {
  const { fake, client, running } = await open();
  const overloaded = {
    kind: 'status',
    status: 529,
    headers: { 'x-should-retry': 'false' },
    body: fakeAnthropicError('overloaded_error', 'busy'),
  } as const;
  fake.script(overloaded);
  await expect(whole(client, [question])).rejects.toMatchObject({ status: 529 });
  expect((await running.gateway.admin.readWallet(running.accountId))?.reservedMicros).toBe(0n);
});

test('an upstream that fails in the middle of a stream leaves the operation uncertain, with the input that it counted', async () => {
  const { fake, client, running } = await open();
  const events = fakeMessageEvents(fakeMessage()).slice(0, 4);
  fake.script({ kind: 'stream', events: [...events, fakeAnthropicError('overloaded_error', 'busy')] });
  await expect(streamed(client, [question])).rejects.toThrow(APIError);
  const { gateway, accountId } = running;
  const operations = await gateway.admin.listOperations({ kind: 'account', accountId });
  expect(operations.map(({ state, usageAtLeast }) => [state, usageAtLeast])).toEqual([
    ['uncertain', [{ unit: 'input_text_tokens', quantity: 100 }]],
  ]);
});

const cacheControl = { type: 'ephemeral', ttl: '1h' } as const;
const markedCall: Anthropic.MessageCreateParamsNonStreaming = {
  model: boundModel,
  max_tokens: 1_000,
  system: [{ type: 'text', text: 'Be brief.', cache_control: cacheControl }],
  tools: tools.map((tool) => ({ ...tool, cache_control: { type: 'ephemeral' } })),
  messages: [
    { role: 'user', content: [{ type: 'text', text: 'A long text.', cache_control: cacheControl }] },
    { role: 'assistant', content: 'Yes.' },
    { role: 'user', content: 'And?' },
  ],
  cache_control: { type: 'ephemeral' },
};

test('what a client marks to be kept reaches the upstream where the host lets it, and is charged as it was kept', async () => {
  const { fake, client } = await open({ cachePrompts: 'asked' });
  const usage = fakeMessageUsage({
    cache_creation_input_tokens: 50,
    cache_creation: { ephemeral_5m_input_tokens: 20, ephemeral_1h_input_tokens: 30 },
  });
  fake.script({ kind: 'answer', message: fakeMessage(undefined, { usage }) });
  const message = await client.messages.create(markedCall);
  expect(message.usage).toMatchObject({ input_tokens: 100, cache_creation_input_tokens: 50 });
  expect(fake.requests.at(-1)?.body).toMatchObject({
    system: [{ text: 'Be brief.', cache_control: cacheControl }],
    tools: [{ name: 'get_weather', cache_control: { type: 'ephemeral' } }],
    messages: [
      { content: [{ text: 'A long text.', cache_control: cacheControl }] },
      { content: [{ text: 'Yes.' }] },
      { content: [{ text: 'And?', cache_control: { type: 'ephemeral' } }] },
    ],
  });
});

test('nothing is marked where the host does not say so, and what is no mark is passed over', async () => {
  const { fake, client } = await open();
  await client.messages.create(markedCall);
  expect(JSON.stringify(fake.requests.at(-1)?.body)).not.toContain('cache_control');
  const marking = await open({ cachePrompts: 'asked' });
  const { system: _system, tools: _tools, ...messagesAlone } = markedCall;
  await marking.client.messages.create({ ...messagesAlone, cache_control: null });
  expect(JSON.stringify(marking.fake.requests.at(-1)?.body).match(/cache_control/g)).toHaveLength(1);
});

test('the gateways of the pages reach the upstream, and serve the client of the page', async () => {
  const fake = await startFakeAnthropic();
  const options = { storage: memoryStorage(), logger: silentLogger };
  const upstream = await openWithAnthropic({ baseUrl: fake.url, apiKey: upstreamKey }, options);
  const clients = await shown.openForAnthropicClients({
    ...options,
    provider: anthropicProvider({ baseUrl: fake.url, apiKey: upstreamKey }),
  });
  const { key } = await openCustomer(upstream);
  expect((await upstream.fetch(askChat(key))).status).toBe(200);
  const server = await serve(clients, { port: 0 });
  const own = await openCustomer(clients);
  expect(await shown.ask(`${server.origin}/api/v1/ai`, own.key, 'Hello')).toBe('Hello from upstream.');
  expect(fake.requests).toHaveLength(2);
  await upstream.close();
  await server.close();
  await fake.close();
});

test('the options of the page make a provider', async () => {
  const provider = carefulAnthropic('k');
  expect(provider.name).toBe('anthropic-eu');
  await provider.close();
});
