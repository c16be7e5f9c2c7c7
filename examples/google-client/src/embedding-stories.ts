import assert from 'node:assert/strict';
import type { GoogleGenAI } from '@google/genai';
import { GoogleGenerativeAIEmbeddings } from '@langchain/google-genai';
import { embeddingModel as model, type StartedGateway } from './start-gateway.ts';

const texts = ['The ferry leaves at nine.', 'The ferry leaves at ten.', 'Wood burns better when it is dry.'];

const dot = (one: readonly number[], other: readonly number[]): number =>
  one.reduce((sum, value, index) => sum + value * (other[index] ?? 0), 0);

/** How alike two vectors of the same length are: 1 for the same direction. */
const likeness = (one: readonly number[], other: readonly number[]): number =>
  dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));

const assertMeaning = (vectors: readonly (readonly number[])[]): void => {
  const [ferry, laterFerry, wood] = vectors;
  assert.ok(ferry && laterFerry && wood);
  assert.ok(likeness(ferry, laterFerry) > likeness(ferry, wood));
};

/** Several texts of one call are one operation. */
export const embeddings = async (client: GoogleGenAI): Promise<void> => {
  const answer = await client.models.embedContent({
    model,
    contents: texts,
    config: { taskType: 'RETRIEVAL_DOCUMENT', outputDimensionality: 256 },
  });
  const vectors = (answer.embeddings ?? []).map(({ values }) => values ?? []);
  assert.deepEqual(
    vectors.map(({ length }) => length),
    [256, 256, 256],
  );
  assertMeaning(vectors);
};

export const langchainEmbeddings = async ({ baseUrl, embeddingKey: apiKey }: StartedGateway): Promise<void> => {
  const embedder = new GoogleGenerativeAIEmbeddings({ model, apiKey, baseUrl, maxRetries: 0 });
  assertMeaning(await embedder.embedDocuments(texts));
};
