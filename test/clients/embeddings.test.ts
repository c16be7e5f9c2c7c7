import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { OpenAIEmbeddings } from '@langchain/openai';
import { embedMany } from 'ai';
import OpenAI, { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

const model = 'embedding-2';
const texts = ['The ferry leaves at nine.', 'When does the boat go?'];

/** A vector as the contract's own floats give it: what a client hands out must be the same, whatever it asked for. */
const plainVectors = async ({ baseUrl, key }: RunningGateway): Promise<readonly (readonly number[])[]> => {
  const answer = await fetch(`${baseUrl}/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ input: texts }),
  });
  const { data } = (await answer.json()) as { readonly data: readonly { readonly embedding: readonly number[] }[] };
  return data.map(({ embedding }) => embedding);
};

const expectSameVectors = (vectors: readonly (readonly number[])[], expected: readonly (readonly number[])[]): void => {
  expect(vectors.map(({ length }) => length)).toEqual(expected.map(({ length }) => length));
  for (const [row, vector] of vectors.entries())
    for (const [index, value] of vector.entries()) expect(value).toBeCloseTo(expected[row]?.[index] ?? Number.NaN, 5);
};

describe.each([
  ['strict', false],
  ['with the compatibility option', true],
] as const)('embeddings, %s', (_, openai) => {
  let running: RunningGateway;
  let client: OpenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai } }, model });
    client = new OpenAI({ baseURL: running.baseUrl, apiKey: running.key });
  });
  afterAll(async () => {
    await running.close();
  });

  test('the openai client reads the base64 that it asks for by itself [embeddings:body:encoding-format]', async () => {
    const answer = await client.embeddings.create({ model, input: texts });
    expect(lastOf(running.wire).sent).toContain('"encoding_format":"base64"');
    expectSameVectors(
      answer.data.map(({ embedding }) => embedding),
      await plainVectors(running),
    );
    expect(answer.data).toHaveLength(texts.length);
    expect((answer as unknown as { readonly service: object }).service).toMatchObject({
      project_id: running.projectId,
    });
    expect(answer.usage !== undefined).toBe(openai);
  });

  test('the openai client reads floats [embeddings:body:encoding-format]', async () => {
    const answer = await client.embeddings.create({ model, input: texts, encoding_format: 'float' });
    expect(answer.data.map(({ embedding }) => embedding)).toEqual(await plainVectors(running));
  });

  test('the openai client gets the length that it asks for, or an error where there is none', async () => {
    const answer = await client.embeddings.create({ model, input: 'short', dimensions: 256 });
    expect(answer.data[0]?.embedding).toHaveLength(256);
    await expect(client.embeddings.create({ model, input: 'short', dimensions: 12 })).rejects.toMatchObject({
      status: 422,
      code: 'model_incompatible',
    });
  });

  test('a user is handed on in compatibility mode, and refused in strict', async () => {
    const outcome = await client.embeddings.create({ model, input: 'a', user: 'end-user-7' }).then(
      ({ data }) => data.length,
      (cause: unknown) => (cause instanceof APIError ? cause.code : cause),
    );
    expect(outcome).toBe(openai ? 1 : 'unsupported_parameter');
  });

  test('the AI SDK embeds many texts', async () => {
    const provider = createOpenAICompatible({ name: 'gateway', baseURL: running.baseUrl, apiKey: running.key });
    const { embeddings } = await embedMany({ model: provider.embeddingModel(model), values: texts, maxRetries: 0 });
    expect(embeddings).toEqual(await plainVectors(running));
  });

  test('LangChain embeds documents and a query', async () => {
    const embeddings = new OpenAIEmbeddings({
      model,
      apiKey: running.key,
      configuration: { baseURL: running.baseUrl },
      maxRetries: 0,
    });
    const expected = await plainVectors(running);
    expect(expected).toHaveLength(texts.length);
    expectSameVectors(await embeddings.embedDocuments(texts), expected);
    expectSameVectors([await embeddings.embedQuery(texts[0] ?? '')], expected.slice(0, 1));
  });
});
