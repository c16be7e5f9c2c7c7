import type { Generation, Part } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createEngineWorld } from '../../../test/engine-world.ts';
import { fromGeneration } from './from-generation.ts';

const read = async (parts: readonly Part[], more: Partial<Generation> = {}, taken: readonly string[] = []) => {
  const { engine } = await createEngineWorld();
  const shelf = { engine, folder: 'f', keptMs: 1, signal: new AbortController().signal, index: 0 };
  const generation = { text: '', functionCalls: [], finish: 'stop', usage: [], parts, ...more } as const;
  return fromGeneration(generation, { shelf, declared: new Map(), describe: () => null, taken: new Set(taken) });
};

const text = (said: string, context?: string): Part =>
  context === undefined ? { kind: 'text', text: said } : { kind: 'text', text: said, context };

test('joins texts up to one with an opaque state, which stands by itself', async () => {
  const { steps } = await read([text('a'), text('b'), text('c', 'state'), text('d'), text('', 'last')]);
  expect(steps).toEqual([
    {
      kind: 'model_output',
      content: [
        { kind: 'text', text: 'ab' },
        { kind: 'text', text: 'c', context: 'state' },
        { kind: 'text', text: 'd' },
        { kind: 'text', text: '', context: 'last' },
      ],
    },
  ]);
});

test('shows which addresses the provider read, under an id that no other call has', async () => {
  const urlMetadata = [
    { retrievedUrl: 'https://one.example', urlRetrievalStatus: 'URL_RETRIEVAL_STATUS_ERROR' },
    { retrievedUrl: 'https://other.example' },
  ];
  const annotations = { urlContextMetadata: { urlMetadata } };
  const { steps } = await read([], { annotations }, ['c1']);
  expect(steps).toEqual([
    {
      kind: 'tool_call',
      tool: 'url_context',
      id: 'url_context_2',
      arguments: { urls: ['https://one.example', 'https://other.example'] },
    },
    {
      kind: 'tool_result',
      tool: 'url_context',
      callId: 'url_context_2',
      result: [
        { url: 'https://one.example', status: 'error' },
        { url: 'https://other.example', status: 'success' },
      ],
    },
  ]);
});
