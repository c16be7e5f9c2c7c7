import assert from 'node:assert/strict';
import { urlCitation, type JsonObject, type Part } from '@tollgate/provider';
import { okJson, type Json } from './answer.ts';
import { messagesTools, responsesTools } from './carried-tools.ts';
import { ask, messagesWire, namedEvents, responsesWire, type DialectWire, type NamedEvent } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { measured } from './measured.ts';

const cite = (page: string, start?: number, end?: number): JsonObject =>
  urlCitation({ url: `https://example.com/${page}`, title: page, start, end });

/** A source that is named before the text, one with its text, and one behind it. */
const pieces: readonly Part[] = [
  { kind: 'text', text: '', annotations: [cite('first')] },
  { kind: 'text', text: 'They ' },
  { kind: 'text', text: 'won.', annotations: [cite('one', 0, 9)] },
  { kind: 'text', text: '', annotations: [cite('two', 5, 9)] },
];
const whole: readonly Part[] = [
  { kind: 'text', text: 'They won.', annotations: [cite('first'), cite('one', 0, 9), cite('two', 5, 9)] },
];
const usage = measured(['input_text_tokens', 10], ['output_text_tokens', 5], ['web_search_queries', 2]);

const annotations = [cite('first', 0, 0), cite('one', 0, 9), cite('two', 5, 9)];
const locations = ['first', 'one', 'two'].map((page) => ({
  type: 'web_search_result_location',
  url: `https://example.com/${page}`,
  title: page,
  cited_text: '',
  encrypted_index: '',
}));

const search = async (world: GatewayWorld, wire: DialectWire, more: object): Promise<string> => {
  world.provider.script({ kind: 'answer', pieces, generation: { text: 'They won.', parts: whole, usage } });
  const headers = { 'idempotency-key': JSON.stringify(more) };
  const { text, status } = await ask(world, wire, wire.saying('Who won?', more), { headers });
  assert.equal(status, 200, text);
  const asked = world.provider.calls.length;
  assert.equal((await ask(world, wire, wire.saying('Who won?', more), { headers })).text, text);
  assert.equal(world.provider.calls.length, asked);
  return text;
};

const searchWhole = async (world: GatewayWorld, wire: DialectWire, tool: object): Promise<Json> => {
  world.provider.script({ kind: 'answer', generation: { text: 'They won.', parts: whole, usage } });
  return okJson(await ask(world, wire, wire.saying('Who won?', { tools: [tool] })));
};

const valuesOf = (events: readonly NamedEvent[], type: string, ...path: readonly string[]): readonly unknown[] =>
  events.flatMap((event) => {
    const value = event.type === type ? event.data.at(...path).value : undefined;
    return value === undefined ? [] : [value];
  });

/** Searches that a provider does within its call, on the wires of other clients. */
export const searchWiresCases: readonly GatewayCase[] = [
  gatewayCase(
    'responses: show what a text cites of a search of the provider, whole, streamed and replayed',
    async (world) => {
      const wire = responsesWire;
      const body = await searchWhole(world, wire, responsesTools.search);
      assert.deepEqual(body.at('output', 0, 'content', 0, 'annotations').value, annotations);
      const text = await search(world, wire, { tools: [responsesTools.search], stream: true });
      const events = namedEvents(text);
      const added = 'response.output_text.annotation.added';
      assert.deepEqual(valuesOf(events, added, 'annotation'), annotations);
      assert.deepEqual(valuesOf(events, added, 'annotation_index'), [0, 1, 2]);
      const [done] = valuesOf(events, 'response.output_item.done', 'item');
      assert.deepEqual(valuesOf(events, 'response.completed', 'response', 'output'), [[done]]);
      assert.deepEqual(valuesOf(events, 'response.content_part.done', 'part'), [
        { type: 'output_text', text: 'They won.', annotations, logprobs: [] },
      ]);
    },
    { ...responsesWire.settings, runsTool: (tool) => tool === 'web_search' },
  ),
  gatewayCase(
    'messages: show what a text cites of a search of the provider, and how often it searched, whole, streamed and replayed',
    async (world) => {
      const wire = messagesWire;
      const body = await searchWhole(world, wire, messagesTools.search);
      assert.deepEqual(body.at('content').value, [{ type: 'text', text: 'They won.', citations: locations }]);
      assert.equal(body.at('usage', 'server_tool_use', 'web_search_requests').value, 2);
      const text = await search(world, wire, { tools: [messagesTools.search], stream: true });
      const events = namedEvents(text);
      assert.deepEqual(valuesOf(events, 'content_block_delta', 'delta', 'citation'), locations);
      assert.equal(wire.streamedText(events), 'They won.');
      assert.deepEqual(valuesOf(events, 'message_delta', 'usage', 'server_tool_use', 'web_search_requests'), [2]);
    },
    { ...messagesWire.settings, runsTool: (tool) => tool === 'web_search' },
  ),
];
