import assert from 'node:assert/strict';
import type { Part } from '@tollgate/provider';
import { jsonOf, type Answer, type Json } from './answer.ts';
import { helloBody } from './generate-ask.ts';
import type { GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

/** A text of a model. */
export const text = (content: string): Part => ({ kind: 'text', text: content });

/** A thought of a model. */
export const thought = (content: string): Part => ({ kind: 'text', text: content, thought: true });

/** The blocks of a stream, without the blank lines between them. */
export const blocksOf = (stream: string): readonly string[] => {
  assert.ok(stream.endsWith('\n\n'), 'the last event must be ended by a blank line');
  return stream.slice(0, -2).split('\n\n');
};

/** A plain event. */
export const dataOf = (block: string | undefined): Json => {
  assert.ok(block?.startsWith('data: ') === true && !block.includes('\n'), `not a plain event: ${block ?? ''}`);
  return jsonOf(JSON.parse(block.slice('data: '.length)));
};

export interface ReadStream {
  readonly content: readonly Json[];
  readonly completed: Json;
}

/** A stream that ended well, its order checked: content, content.completed once, and `[DONE]` where it is asked for. */
export const readWhole = (answer: Answer, done = true): ReadStream => {
  assert.equal(answer.status, 200, answer.text);
  const blocks = [...blocksOf(answer.text)];
  if (done) assert.equal(blocks.pop(), 'data: [DONE]');
  const last = blocks.pop() ?? '';
  const head = 'event: content.completed\ndata: ';
  assert.ok(last.startsWith(head), last);
  return { content: blocks.map(dataOf), completed: jsonOf(JSON.parse(last.slice(head.length))) };
};

/** What the events of a stream say together. */
export const textIn = (content: readonly Json[]): string =>
  content
    .flatMap((event) => event.at('candidates', 0, 'content', 'parts').list())
    .map((part) => part.at('text').text())
    .join('');

const path = `/models/${suiteModel}:streamGenerateContent`;

/** A stream whose body is still to be read. */
export const openStream = (world: GatewayWorld, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  world.open({ path, body: helloBody, headers });
