import assert from 'node:assert/strict';
import type { Part } from '@tollgate/provider';
import { assertRefused, okJson, type Json } from './answer.ts';
import { messagesWire as wire, namedEvents } from './dialect-wires.ts';
import { gatewayCase, type GatewayCase } from './gateway-case.ts';
import { generate, helloContent, lastCall, streamGenerate } from './generate-ask.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';

/** Longer than what a client is handed sealed. */
const state = 'state of an upstream; '.repeat(10_000);
/** Longer than the signatures that the contract takes back. */
const longState = state.repeat(6);
/** Longer than what is kept. */
const endlessState = state.repeat(20);

const day = 86_400_000;

const thoughtOf = (context: string): readonly Part[] => [
  { kind: 'text', text: 'Hm', thought: true, context },
  { kind: 'text', text: 'Good day.' },
];

const call = (context: string) =>
  ({ kind: 'function_call', id: 'c1', name: 'look', arguments: '{}', context }) as const;

const script = (world: GatewayWorld, parts: readonly Part[]): void => {
  const functionCalls = parts.filter((part) => part.kind === 'function_call');
  world.provider.script({ kind: 'answer', pieces: parts, generation: { text: 'Good day.', functionCalls, parts } });
};

/** The states that the provider got back. */
const contextsBack = (world: GatewayWorld): readonly unknown[] =>
  lastCall(world).contents.flatMap(({ parts }) =>
    parts.flatMap((part) => ('context' in part && part.context !== undefined ? [part.context] : [])),
  );

/** Sends an answer of this wire back with another text behind it. */
const goOn = (first: Json) => ({
  ...wire.saying('Hello'),
  messages: [
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: first.at('content').value },
    { role: 'user', content: 'And now?' },
  ],
});

const { path, headers, settings } = wire;

/** A first answer with a long state, as the client has it. */
const answered = async (world: GatewayWorld, more: object = {}) => {
  script(world, thoughtOf(state));
  return world.send({ path, headers: { ...headers, 'idempotency-key': 'first' }, body: wire.saying('Hello', more) });
};

/** States of an upstream that are too long to travel with the client. */
export const longStateCases: readonly GatewayCase[] = [
  gatewayCase(
    'hands a client a short text in place of a long state, and the upstream the state again',
    async (world) => {
      const answer = await answered(world);
      const first = okJson(answer);
      assert.ok(wire.sealedIn(first).length < 1_000, 'a long state travels with the client');
      assert.equal((await answered(world)).text, answer.text);
      okJson(await world.send({ path, headers, body: goOn(first) }));
      assert.deepEqual(contextsBack(world), [state]);
    },
    settings,
  ),
  gatewayCase(
    'hands the same text on in a stream, and on its replay',
    async (world) => {
      const answer = await answered(world, { stream: true });
      const sealed = namedEvents(answer.text).flatMap(({ data }) => {
        const signature = data.at('delta', 'signature').value;
        return typeof signature === 'string' ? [signature] : [];
      });
      assert.equal(sealed.length, 1);
      assert.ok((sealed[0] ?? '').length < 1_000, 'a long state travels with the client');
      assert.equal((await answered(world, { stream: true })).text, answer.text);
    },
    settings,
  ),
  gatewayCase(
    'gives the state to no other project, and to no one when its time is over',
    async (world) => {
      const first = okJson(await answered(world));
      const elsewhere = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId: elsewhere, model: null });
      okJson(await world.send({ path, key, headers, body: goOn(first) }));
      assert.deepEqual(contextsBack(world), []);
      world.time.advance(8 * day);
      await world.runJobs();
      okJson(await world.send({ path, headers, body: goOn(first) }));
      assert.deepEqual(contextsBack(world), []);
      assert.equal(lastCall(world).contents[1]?.parts.length, 1, 'a thought without its state was sent');
    },
    settings,
  ),
  gatewayCase(
    'leaves a state out that is longer than what is kept',
    async (world) => {
      script(world, thoughtOf(endlessState));
      const first = okJson(await world.send({ path, headers, body: wire.saying('Hello') }));
      okJson(await world.send({ path, headers, body: goOn(first) }));
      assert.deepEqual(contextsBack(world), []);
    },
    settings,
  ),
  gatewayCase('hands the long state of a call back in a chat, also to a client that drops it', async (world) => {
    script(world, [call(longState)]);
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const message = okJson(await world.chat({ ...greeting, tools })).at('choices', 0, 'message');
    assert.ok(message.at('context').text().length < 1_000, 'a long state travels with the client');
    const { context: _context, ...dropped } = { context: message.at('context').value, ...assistantOf(message) };
    for (const sent of [{ ...dropped, context: message.at('context').value }, dropped]) {
      const messages = [...greeting.messages, sent, { role: 'tool', tool_call_id: 'c1', content: 'sunny' }];
      okJson(await world.chat({ messages, tools }));
      assert.deepEqual(contextsBack(world), [longState]);
    }
  }),
  gatewayCase('refuses the long state of a chat of another project, as any other', async (world) => {
    script(world, [call(longState)]);
    const tools = [{ type: 'function', function: { name: 'look' } }];
    const message = okJson(await world.chat({ ...greeting, tools })).at('choices', 0, 'message');
    const elsewhere = await world.createProject(world.accountId);
    const { key } = await world.createCaller({ projectId: elsewhere, model: null });
    const messages = [...greeting.messages, message.value, { role: 'tool', tool_call_id: 'c1', content: 'sunny' }];
    assertRefused(await world.chat({ messages, tools }, { key }), 422, 'invalid_messages');
  }),
  gatewayCase(
    'hands a signature back that is longer than the contract takes, to the same project alone',
    async (world) => {
      script(world, thoughtOf(longState));
      const first = okJson(await generate(world));
      const content = first.at('candidates', 0, 'content');
      assert.ok(
        content.at('parts', 0, 'thoughtSignature').text().length < 1_000,
        'a long state travels with the client',
      );
      const body = { contents: [helloContent, content.value, helloContent] };
      okJson(await generate(world, body));
      assert.deepEqual(contextsBack(world), [longState]);
      const elsewhere = await world.createProject(world.accountId);
      const { key } = await world.createCaller({ projectId: elsewhere, model: null });
      okJson(await generate(world, body, { key }));
      assert.deepEqual(contextsBack(world), []);
    },
  ),
  gatewayCase('hands a signature on byte for byte that the contract takes back', async (world) => {
    script(world, thoughtOf(state));
    const { text } = await streamGenerate(world);
    assert.ok(text.includes(state), 'a signature that fits was changed');
  }),
  gatewayCase('refuses more states than one call may bring along', async (world) => {
    const contents: unknown[] = [];
    for (let turn = 0; turn < 5; turn += 1) {
      script(world, thoughtOf(`${turn}${state.repeat(18)}`));
      contents.push(helloContent, okJson(await generate(world)).at('candidates', 0, 'content').value);
    }
    const refused = await generate(world, { contents: [...contents, helloContent] });
    assertRefused(refused, 422, 'input_limit');
  }),
];

/** A message as a client sends it back. */
const assistantOf = (message: Json): object =>
  Object.fromEntries(message.keys().flatMap((name) => (name === 'context' ? [] : [[name, message.at(name).value]])));
