import { expect, test } from 'vitest';
import {
  bodyBounds,
  embeddingBounds,
  chatBounds,
  limits,
  jsonBounds,
  scanJson,
} from '../packages/contract/src/index.ts';

const nodesOf = (body: unknown): number => {
  const scanned = scanJson(Buffer.from(JSON.stringify(body)), jsonBounds(bodyBounds.nodesCeiling));
  if (typeof scanned === 'string') throw new Error(`the body is beyond its ${scanned}`);
  return scanned.nodes;
};

const times = <T>(count: number, make: (index: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(index));

const parameters = {
  type: 'object',
  properties: Object.fromEntries(
    ['path', 'offset', 'limit'].map((name) => [name, { type: 'string', description: 'x' }]),
  ),
  required: ['path'],
};

/** An agent sends its whole session each time: half of its messages are calls of functions and their results. */
const agentSession = {
  model: 'm',
  messages: times(chatBounds.messagesCompat, (index) => {
    if (index % 4 === 0) return { role: 'user', content: [{ type: 'text', text: 'Go on.' }] };
    if (index % 4 === 1)
      return {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
      };
    return index % 4 === 2
      ? { role: 'tool', tool_call_id: 'c', content: 'text' }
      : { role: 'assistant', content: 'Done.' };
  }),
  tools: times(128, (index) => ({ type: 'function', function: { name: `f${index}`, description: 'x', parameters } })),
};

const conversation = (turns: number) => ({
  contents: times(turns, (index) => ({ role: index % 2 === 0 ? 'user' : 'model', parts: [{ text: 'x' }] })),
});

test.each([
  ['an embedding request of the most texts', { input: times(embeddingBounds.textsCeiling, () => 'text') }],
  ['the session of an agent with the most messages and 128 tools', agentSession],
  ['a conversation of 3,000 turns', conversation(3_000)],
  [
    'a batch of the most requests, of 20 turns each',
    { requests: times(limits.batch.requestsMax, (key) => ({ key: `${key}`, request: conversation(20) })) },
  ],
])('leaves room for %s', (_name, body) => {
  expect(nodesOf(body)).toBeLessThan(0.7 * bodyBounds.nodesMax);
});
