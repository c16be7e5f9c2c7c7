import assert from 'node:assert/strict';
import type { CatalogModel } from '@tollgate/contract';
import type { EmbeddingCall } from '@tollgate/provider';
import type { Answer, Json } from './answer.ts';
import type { Ask, GatewayWorld } from './gateway-world.ts';
import { suiteRow } from './suite-tariff.ts';

/** Models of the default catalog: one that reads texts, and one that reads media, too. */
export const textEmbedding = 'embedding-001';
export const mediaEmbedding = 'embedding-2';

export interface Embedder {
  readonly key: string;
  readonly embed: (body: unknown, more?: Omit<Ask, 'path' | 'body'>) => Promise<Answer>;
  /** What the provider was handed last. */
  readonly handed: () => EmbeddingCall;
}

/** Asks with a key that is bound to an embedding model. */
export const createEmbedder = async (world: GatewayWorld, model: string = textEmbedding): Promise<Embedder> => {
  const { key } = await world.createCaller({ projectId: world.projectId, model });
  return {
    key,
    embed: (body, more = {}) => world.send({ key, ...more, path: '/embeddings', body }),
    handed: () => {
      const call = world.provider.embedCalls.at(-1)?.call;
      assert.ok(call !== undefined, 'nothing was handed to the provider');
      return call;
    },
  };
};

/** The vectors of an answer, in order. */
export const vectorsOf = (list: Json): readonly unknown[] =>
  list
    .at('data')
    .list()
    .map((row) => row.at('embedding').value);

/** A model of the suite's own that makes vectors of 768 numbers only. */
export const embeddingRow = (id: string, flags: NonNullable<CatalogModel['embedding']>['flags'] = []): CatalogModel =>
  suiteRow({
    id,
    family: 'embedding',
    routes: ['embeddings'],
    capabilities: ['text_embedding', 'image_input', 'pdf_input'],
    embedding: { dimensions: { kind: 'list', values: [768] }, flags },
  });
