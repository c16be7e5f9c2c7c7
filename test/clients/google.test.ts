import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { ApiError, GoogleGenAI } from '@google/genai';
import { GoogleGenerativeAIEmbeddings } from '@langchain/google-genai';
import { APICallError, embed, embedMany } from 'ai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mediaSamples } from './media-samples.ts';
import { boundModel, lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

const embeddingModel = 'embedding-2';
const texts = ['The ferry leaves at nine.', 'When does the boat go?'];

const failureOf = async (promise: PromiseLike<unknown>): Promise<unknown> =>
  promise.then(
    () => 'it was answered',
    (cause: unknown) => cause,
  );

describe('with the compatibility option', () => {
  let running: RunningGateway;
  let embeddingKey: string;
  /** Configured with nothing but an address and a key; the client adds the version to the path by itself. */
  let client: GoogleGenAI;
  let embedder: GoogleGenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { google: true } } });
    embeddingKey = await running.newKey(embeddingModel);
    const httpOptions = { baseUrl: running.baseUrl };
    client = new GoogleGenAI({ apiKey: running.key, httpOptions });
    embedder = new GoogleGenAI({ apiKey: embeddingKey, httpOptions });
  });
  afterAll(async () => {
    await running.close();
  });

  const plainVectors = async (): Promise<readonly (readonly number[])[]> => {
    const answer = await fetch(`${running.baseUrl}/embeddings`, {
      method: 'POST',
      headers: { authorization: `Bearer ${embeddingKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ input: texts }),
    });
    const { data } = (await answer.json()) as { readonly data: readonly { readonly embedding: readonly number[] }[] };
    return data.map(({ embedding }) => embedding);
  };

  test('the genai client embeds texts', async () => {
    const { embeddings } = await embedder.models.embedContent({ model: embeddingModel, contents: texts });
    expect(embeddings?.map(({ values }) => values)).toEqual(await plainVectors());
  });

  test('the genai client says what a vector is for and how long it is', async () => {
    const { embeddings } = await embedder.models.embedContent({
      model: embeddingModel,
      contents: 'short',
      config: { taskType: 'RETRIEVAL_DOCUMENT', title: 'A chapter', outputDimensionality: 256 },
    });
    expect(embeddings?.[0]?.values).toHaveLength(256);
    expect(lastOf(running.wire).sent).toContain('"outputDimensionality":256');
  });

  test('the genai client embeds an image with its caption as one vector', async () => {
    const { embeddings } = await embedder.models.embedContent({
      model: embeddingModel,
      contents: {
        parts: [{ text: 'A dot.' }, { inlineData: { mimeType: 'image/png', data: mediaSamples.png } }],
      },
    });
    expect(embeddings).toHaveLength(1);
  });

  test('the genai client lists models over several pages, and reads one', async () => {
    const names: string[] = [];
    for await (const { name } of await client.models.list({ config: { pageSize: 5 } })) names.push(name ?? '');
    expect(names).toContain(`models/${boundModel}`);
    expect(names.length).toBeGreaterThan(5);
    expect(new Set(names).size).toBe(names.length);
    const row = await client.models.get({ model: boundModel });
    expect([row.name, row.supportedActions]).toEqual([
      `models/${boundModel}`,
      ['generateContent', 'streamGenerateContent', 'countTokens'],
    ]);
  });

  test('the genai client counts tokens, which costs nothing', async () => {
    const { totalTokens } = await client.models.countTokens({ model: boundModel, contents: 'How long is this?' });
    expect(totalTokens).toBeGreaterThan(0);
    const more = await client.models.countTokens({ model: boundModel, contents: 'How long is this? '.repeat(100) });
    expect(more.totalTokens ?? 0).toBeGreaterThan(totalTokens ?? 0);
    const { accountId, gateway } = running;
    const operations = await gateway.admin.listOperations({ kind: 'account', accountId });
    expect(operations.map(({ kind }) => kind)).not.toContain('countTokens');
    expect(lastOf(running.wire).answer.headers['idempotency-replayed']).toBeUndefined();
  });

  test('the genai client gets errors by number, with the code and the id of the request in the details', async () => {
    const error = await failureOf(client.models.embedContent({ model: boundModel, contents: 'a' }));
    expect(error).toBeInstanceOf(ApiError);
    const { status, message } = error as ApiError;
    expect(status).toBe(422);
    expect(JSON.parse(message)).toEqual({
      error: {
        code: 422,
        message: 'The model flash-3.8 does not serve this route (embeddings); it offers chat, generate, interactions.',
        status: 'INVALID_ARGUMENT',
        details: [{ reason: 'model_incompatible' }],
      },
    });
  });

  test('the genai client works with the base path alone and a Bearer credential', async () => {
    const bearer = new GoogleGenAI({
      apiKey: 'not-used',
      httpOptions: {
        baseUrl: running.baseUrl,
        apiVersion: '',
        headers: { Authorization: `Bearer ${embeddingKey}` },
      },
    });
    const { embeddings } = await bearer.models.embedContent({ model: embeddingModel, contents: texts });
    expect(embeddings).toHaveLength(2);
    expect(lastOf(running.wire).path).toBe(`/api/v1/ai/models/${embeddingModel}:batchEmbedContents`);
  });

  test('the AI SDK embeds one text and several', async () => {
    const google = createGoogleGenerativeAI({ baseURL: `${running.baseUrl}/v1beta`, apiKey: embeddingKey });
    const model = google.embeddingModel(embeddingModel);
    const expected = await plainVectors();
    const one = await embed({ model, value: texts[0] ?? '', maxRetries: 0 });
    expect(one.embedding).toEqual(expected[0]);
    const { embeddings } = await embedMany({ model, values: texts, maxRetries: 0 });
    expect(embeddings).toEqual(expected);
  });

  test('the AI SDK reads the message of an error', async () => {
    const google = createGoogleGenerativeAI({ baseURL: running.baseUrl, apiKey: running.key });
    const model = google.embeddingModel(boundModel);
    const error = await failureOf(embed({ model, value: 'a', maxRetries: 0 }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect((error as APICallError).message).toMatch(
      /^The model flash-3\.8 does not serve this route \(embeddings\); it offers/,
    );
  });

  test('LangChain, which knows one path only, embeds documents and a query', async () => {
    const embeddings = new GoogleGenerativeAIEmbeddings({
      model: embeddingModel,
      apiKey: embeddingKey,
      baseUrl: running.baseUrl,
      maxRetries: 0,
    });
    const expected = await plainVectors();
    expect(await embeddings.embedDocuments([...texts])).toEqual(expected);
    expect(await embeddings.embedQuery(texts[0] ?? '')).toEqual(expected[0]);
    expect(lastOf(running.wire).path).toContain('/v1beta/');
  });
});

test('without the option these clients are not known, and their key is none', async () => {
  const running = await startGateway();
  const client = new GoogleGenAI({ apiKey: running.key, httpOptions: { baseUrl: running.baseUrl } });
  expect(await failureOf(client.models.countTokens({ model: boundModel, contents: 'a' }))).toMatchObject({
    status: 404,
  });
  await running.close();
});
