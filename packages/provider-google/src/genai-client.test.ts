import { ApiError, GoogleGenAI } from '@google/genai';
import { fakeGeminiError, fakeGeminiResponse, startFakeGemini, type FakeGemini } from '@tollgate/testing/fakes';
import { afterEach, beforeEach, expect, test } from 'vitest';

/** The upstream's own client, to prove that the fake upstream speaks its language. */
let fake: FakeGemini;
let client: GoogleGenAI;
beforeEach(async () => {
  fake = await startFakeGemini({ apiKey: 'k', processingReads: 1 });
  client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: fake.url } });
});
afterEach(() => fake.close());

const model = 'gemini-2.5-flash';

test('the fake upstream responds to a client of the real one', async () => {
  const answer = await client.models.generateContent({
    model,
    contents: 'Hello',
    config: { systemInstruction: 'Be short.', temperature: 0, responseMimeType: 'application/json' },
  });
  expect([answer.text, answer.usageMetadata?.totalTokenCount]).toEqual(['Hello from upstream.', 120]);
});

test('the fake upstream streams to a client of the real one, over several requests', async () => {
  const next = { finishReason: 'CONTINUATION', continuationToken: 't1' };
  fake.script(
    { kind: 'answer', responses: [fakeGeminiResponse([{ text: 'Hello ' }], next)] },
    { kind: 'answer', responses: [fakeGeminiResponse([{ text: 'again.' }])] },
  );
  let text = '';
  const stream = await client.models.generateContentStream({ model, contents: 'Hello' });
  for await (const chunk of stream) text += chunk.text ?? '';
  expect(text).toBe('Hello again.');
  expect(fake.requests[1]?.body).toMatchObject({ continuationToken: 't1' });
});

test('a client of the real upstream understands the errors of the fake one', async () => {
  fake.script({ kind: 'status', status: 400, body: fakeGeminiError(400, 'INVALID_ARGUMENT', 'No.') });
  await expect(client.models.generateContent({ model, contents: 'Hello' })).rejects.toThrow(ApiError);
  fake.script({ kind: 'events', events: [fakeGeminiError(503, 'UNAVAILABLE', 'No.')] });
  const stream = await client.models.generateContentStream({ model, contents: 'Hello' });
  await expect(stream.next()).rejects.toMatchObject({ status: 503 });
});

test('a client of the real upstream embeds and counts with the fake one', async () => {
  const embedded = await client.models.embedContent({ model: 'gemini-embedding-001', contents: ['a', 'b'] });
  expect(embedded.embeddings?.map(({ values }) => values?.length)).toEqual([3, 3]);
  const counted = await client.models.countTokens({ model, contents: 'eight ch' });
  expect(counted.totalTokens).toBe(2);
});

test('a client of the real upstream uploads, asks for, uses and removes a file of the fake one', async () => {
  const blob = new Blob([Buffer.alloc(9 * 1_048_576, 'x')], { type: 'application/pdf' });
  const file = await client.files.upload({ file: blob, config: { displayName: 'x.pdf' } });
  expect([file.state, file.sizeBytes]).toEqual(['PROCESSING', String(blob.size)]);
  const name = file.name ?? '';
  expect((await client.files.get({ name })).state).toBe('PROCESSING');
  expect((await client.files.get({ name })).state).toBe('ACTIVE');
  const part = { fileData: { fileUri: file.uri ?? '', mimeType: 'application/pdf' } };
  expect((await client.models.generateContent({ model, contents: [{ role: 'user', parts: [part] }] })).text).toBe(
    'Hello from upstream.',
  );
  await client.files.delete({ name });
  await expect(client.files.get({ name })).rejects.toMatchObject({ status: 403 });
});
