import assert from 'node:assert/strict';
import type { JsonObject, Part } from '@tollgate/provider';
import { assertRefused, okJson, type Json } from './answer.ts';
import { chunksIn, deltasOf } from './chat-in-time-reading.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { generate, helloBody, lastCall, streamGenerate } from './generate-ask.ts';
import { blocksOf, dataOf } from './generate-stream-reading.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';

const searchingChat = { ...greeting, web_search_options: {} };
const searchingContent = { ...helloBody, tools: [{ googleSearch: {} }] };
const compatible = { compatibility: { openai: true, google: true } } as const;
const searches = { ...compatible, runsTool: (tool: string) => tool === 'web_search' } as const;

const cite = (page: string, start: number, end: number): JsonObject => ({
  type: 'url_citation',
  url: `https://example.com/${page}`,
  title: page,
  start_index: start,
  end_index: end,
});
const cited = (page: string, start_index: number, end_index: number) => ({
  type: 'url_citation',
  url_citation: { url: `https://example.com/${page}`, title: page, start_index, end_index },
});

const usage = measured(['input_text_tokens', 10], ['output_text_tokens', 5], ['web_search_queries', 2]);
/** Thoughts before a text are none of the characters that its citations count. */
const pieces: readonly Part[] = [
  { kind: 'text', text: 'Hm', thought: true },
  { kind: 'text', text: 'They ' },
  { kind: 'text', text: 'won.', annotations: [cite('one', 0, 9)] },
  { kind: 'text', text: '', annotations: [cite('two', 5, 9), { type: 'file_citation', file_name: 'a' }] },
];
const whole: readonly Part[] = [
  { kind: 'text', text: 'Hm', thought: true },
  { kind: 'text', text: 'They won.', annotations: [cite('one', 0, 9), cite('two', 5, 9)] },
];

const answer = (world: GatewayWorld): void =>
  world.provider.script({ kind: 'answer', pieces, generation: { text: 'They won.', parts: whole, usage } });

const citationsOf = (message: Json): unknown => message.at('annotations').value;
const both = [cited('one', 0, 9), cited('two', 5, 9)];

/** The members of a candidate that say what its texts are grounded on. */
const grounded = {
  groundingChunks: [
    { web: { uri: 'https://example.com/one', title: 'one' } },
    { web: { uri: 'https://example.com/two', title: 'two' } },
  ],
  groundingSupports: [
    { segment: { partIndex: 1, endIndex: 9, text: 'They won.' }, groundingChunkIndices: [0] },
    { segment: { partIndex: 1, startIndex: 5, endIndex: 9, text: 'won.' }, groundingChunkIndices: [1] },
  ],
};

/** Searches of the web that an upstream does beside its model, and what its texts cite. */
export const searchCases: readonly GatewayCase[] = [
  gatewayCase(
    'refuses by name a search that the provider of the model does not do, before it reserves anything',
    async (world) => {
      for (const refused of [await world.chat(searchingChat), await generate(world, searchingContent)])
        assert.match(assertRefused(refused, 422, 'model_incompatible').at('message').text(), /web_search/);
      assert.equal(world.provider.calls.length, 0);
      assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
    },
    compatible,
  ),
  gatewayCase(
    'refuses what the catalog offers where the provider denies it',
    async (world) => {
      const refused = await world.chat({ ...greeting, tools: [{ type: 'code_execution' }] });
      assert.match(assertRefused(refused, 422, 'model_incompatible').at('message').text(), /code_execution/);
      assert.equal(world.provider.calls.length, 0);
    },
    searches,
  ),
  gatewayCase(
    'searches beside a chat, charges the searches, and replays what the message cites',
    async (world) => {
      answer(world);
      const headers = { 'idempotency-key': 'searching' };
      const first = await world.chat(searchingChat, { headers });
      const body = okJson(first);
      assert.deepEqual(citationsOf(body.at('choices', 0, 'message')), both);
      assert.equal(body.at('service', 'credits').value, 2.02);
      assert.deepEqual(lastCall(world).tools, [{ kind: 'web_search' }]);
      assert.equal((await world.chat(searchingChat, { headers })).text, first.text);
      assert.equal(world.provider.calls.length, 1);
      const back = { messages: [...greeting.messages, body.at('choices', 0, 'message').value, ...greeting.messages] };
      okJson(await world.chat(back));
    },
    searches,
  ),
  gatewayCase(
    'streams citations as they come, and once more on a replay',
    async (world) => {
      answer(world);
      const headers = { 'idempotency-key': 'streaming' };
      const body = { ...searchingChat, stream: true };
      const first = await world.chat(body, { headers });
      assert.deepEqual(deltasOf(chunksIn(first.text)).slice(1, 5), [
        { reasoning_content: 'Hm' },
        { content: 'They ' },
        { content: 'won.', annotations: [cited('one', 0, 9)] },
        { annotations: [cited('two', 5, 9)] },
      ]);
      assert.equal((await world.chat(body, { headers })).text, first.text);
    },
    searches,
  ),
  gatewayCase(
    'tells generateContent on which pages a text is grounded, whole, streamed and replayed',
    async (world) => {
      answer(world);
      const body = okJson(await generate(world, searchingContent));
      assert.deepEqual(body.at('candidates', 0, 'groundingMetadata').value, grounded);
      assert.deepEqual(body.at('candidates', 0, 'content', 'parts', 1).value, { text: 'They won.' });
      answer(world);
      const headers = { 'idempotency-key': 'grounded' };
      const older = { ...helloBody, tools: [{ googleSearchRetrieval: {} }] };
      const first = await streamGenerate(world, older, { headers });
      const candidates = blocksOf(first.text)
        .filter((block) => block.startsWith('data: {"candidates'))
        .map((block) => dataOf(block).at('candidates', 0));
      assert.deepEqual(candidates.at(-1)?.at('groundingMetadata').value, grounded);
      assert.equal(candidates.filter((each) => each.at('groundingMetadata').value !== undefined).length, 1);
      assert.equal((await streamGenerate(world, older, { headers })).text, first.text);
      assert.deepEqual(lastCall(world).tools, [{ kind: 'web_search' }]);
    },
    searches,
  ),
  gatewayCase(
    'does not search for an account which cannot pay for it',
    async (world) => {
      const accountId = await world.createAccount(7_999_999n);
      const projectId = await world.createProject(accountId);
      const { key } = await world.createCaller({ projectId, model: 'flash-2.5' });
      assertRefused(await world.chat(searchingChat, { key }), 402, 'ai_insufficient_credits');
      assert.equal(world.provider.calls.length, 0);
      okJson(await world.chat(undefined, { key }));
    },
    {
      ...searches,
      tariff: {
        version: 'suite-searches',
        models: {
          '*': { perMillion: { input_text_tokens: '0', output_text_tokens: '0', web_search_queries: '1000000' } },
        },
      },
    },
  ),
  gatewayCase('takes no search in the strict mode [chat:tools:url-context-not-search]', async (world) => {
    for (const refused of [await world.chat(searchingChat), await generate(world, searchingContent)])
      assertRefused(refused, 422, 'unsupported_parameter');
    assert.equal(world.provider.calls.length, 0);
  }),
];
