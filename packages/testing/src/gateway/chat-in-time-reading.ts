import assert from 'node:assert/strict';
import type { FunctionCallPart } from '@tollgate/provider';
import type { Json } from './answer.ts';
import { blocksOf, dataOf } from './generate-stream-reading.ts';
import { greeting, type GatewayWorld } from './gateway-world.ts';

export const streaming = { ...greeting, stream: true } as const;
export const withUsage = { ...streaming, stream_options: { include_usage: true } } as const;
export const compatible = { compatibility: { openai: true } } as const;

export const call = (id: string): FunctionCallPart => ({
  kind: 'function_call',
  id,
  name: 'look',
  arguments: `{"at":"${id}"}`,
});

/** A chat whose body is still to be read. */
export const openChat = (world: GatewayWorld, key = ''): Promise<Response> => {
  const headers: Readonly<Record<string, string>> = key === '' ? {} : { 'idempotency-key': key };
  return world.open({ path: '/chat/completions', body: streaming, headers });
};

/** Chunks of a stream that ended with `[DONE]`. */
export const chunksIn = (stream: string): readonly Json[] => {
  const blocks = [...blocksOf(stream)];
  assert.equal(blocks.pop(), 'data: [DONE]');
  return blocks.map(dataOf);
};

export const deltasOf = (chunks: readonly Json[]): readonly unknown[] =>
  chunks.map((chunk) => chunk.at('choices', 0, 'delta').value);

export const contentIn = (chunks: readonly Json[]): string =>
  chunks
    .map((chunk) => chunk.at('choices', 0, 'delta', 'content').value)
    .filter((content) => typeof content === 'string')
    .join('');
