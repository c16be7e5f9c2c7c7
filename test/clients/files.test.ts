import { GoogleGenAI } from '@google/genai';
import OpenAI, { toFile } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { boundModel, lastOf, startGateway, type RunningGateway } from './running-gateway.ts';

/** Text of so many bytes, which no two places of are alike for long. */
const longText = (bytes: number): Buffer =>
  Buffer.from(Array.from({ length: Math.ceil(bytes / 8) }, (_, at) => `${at}`.padStart(7, '.')).join(' ')).subarray(
    0,
    bytes,
  );

const readBlobs = async (running: RunningGateway): Promise<readonly Buffer[]> => {
  const found: Buffer[] = [];
  for (const part of lastOf(running.calls).contents.flatMap(({ parts }) => parts)) {
    if (part.kind !== 'blob') continue;
    const chunks: Uint8Array[] = [];
    for await (const chunk of part.read()) chunks.push(chunk);
    found.push(Buffer.concat(chunks));
  }
  return found;
};

describe('the openai client', () => {
  let running: RunningGateway;
  let client: OpenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { openai: true } } });
    client = new OpenAI({ apiKey: running.key, baseURL: running.baseUrl, maxRetries: 0 });
  });
  afterAll(() => running.close());

  test('uploads a file, chats about it, lists and deletes it', async () => {
    const bytes = longText(3_000_000);
    const file = await client.files.create({ file: await toFile(bytes, 'notes.txt'), purpose: 'user_data' });
    expect(file).toMatchObject({ object: 'file', bytes: bytes.length, filename: 'notes.txt', purpose: 'user_data' });
    expect((await client.files.retrieve(file.id)).id).toBe(file.id);
    const processed = await client.files.waitForProcessing(file.id, { pollInterval: 10, maxWait: 600_000 });
    expect(processed).toMatchObject({
      status: 'processed',
      created_at: expect.any(Number),
      expires_at: expect.any(Number),
    });
    const content = await client.files.content(file.id);
    expect(Buffer.from(await content.arrayBuffer()).equals(bytes)).toBe(true);
    expect(content.headers.get('content-disposition')).toBe('attachment; filename="notes.txt"');
    await client.chat.completions.create({
      model: boundModel,
      messages: [{ role: 'user', content: [{ type: 'file', file: { file_id: file.id } }] }],
    });
    expect((await readBlobs(running)).map((found) => found.equals(bytes))).toEqual([true]);
    const ids: string[] = [];
    for await (const { id } of client.files.list()) ids.push(id);
    expect(ids).toEqual([file.id]);
    expect(await client.files.delete(file.id)).toMatchObject({ id: file.id, object: 'file', deleted: true });
    await expect(client.files.delete(file.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
  });

  test('downloads no file of another project, none that is gone, and none without the option', async () => {
    const file = await client.files.create({ file: await toFile(longText(10), 'a.txt'), purpose: 'user_data' });
    const { admin } = running.gateway;
    const other = await admin.createProject({ accountId: running.accountId, name: 'Other' });
    const key = await admin.createKey({ projectId: other?.id ?? '', model: null });
    const stranger = new OpenAI({ apiKey: key?.key ?? '', baseURL: running.baseUrl, maxRetries: 0 });
    await expect(stranger.files.content(file.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    await expect(new OpenAI({ apiKey: 'x', baseURL: running.baseUrl }).files.content(file.id)).rejects.toMatchObject({
      status: 401,
    });
    await client.files.delete(file.id);
    await expect(client.files.content(file.id)).rejects.toMatchObject({ status: 404, code: 'not_found' });
    const strict = await startGateway();
    const own = new OpenAI({ apiKey: strict.key, baseURL: strict.baseUrl, maxRetries: 0 });
    await expect(own.files.content(file.id)).rejects.toMatchObject({ status: 404 });
    await strict.close();
  });

  test('leaves the record as the contract writes it to other clients', async () => {
    const file = await client.files.create({ file: await toFile(longText(10), 'a.txt'), purpose: 'user_data' });
    const answer = await fetch(`${running.baseUrl}/files/${file.id}`, {
      headers: { authorization: `Bearer ${running.key}` },
    });
    expect(await answer.json()).toMatchObject({ status: 'active', created_at: expect.any(String), bytes: 10 });
  });

  test('gets the reason why a file was refused', async () => {
    const file = await toFile(Buffer.from('PK'), 'a.zip');
    await expect(client.files.create({ file, purpose: 'user_data' })).rejects.toMatchObject({
      status: 422,
      code: 'unsupported_content',
    });
  });
});

describe('the address of an upload in pieces', () => {
  let running: RunningGateway;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { google: true } } });
  });
  afterAll(() => running.close());

  const begin = async (address: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
    running.gateway.fetch(
      new Request(`${address}/upload/v1beta/files`, {
        method: 'POST',
        headers: { 'x-goog-api-key': running.key, 'x-goog-upload-command': 'start', ...headers },
        body: '{}',
      }),
    );

  test.each([
    ['https://models.example:8443', {}, 'https://models.example:8443'],
    ['http://models.example', {}, 'http://models.example'],
    ['http://models.example', { 'x-forwarded-proto': 'https' }, 'https://models.example'],
  ])('of a client of %s with %j is below %s', async (address, headers, expected) => {
    const url = new URL((await begin(address, headers)).headers.get('x-goog-upload-url') ?? '');
    expect([url.origin, url.pathname]).toEqual([expected, '/api/v1/ai/upload/files']);
  });
});

describe('the genai client', () => {
  let running: RunningGateway;
  let client: GoogleGenAI;
  beforeAll(async () => {
    running = await startGateway({ options: { compatibility: { google: true } } });
    client = new GoogleGenAI({ apiKey: running.key, httpOptions: { baseUrl: running.baseUrl } });
  });
  afterAll(() => running.close());

  test('uploads a file in pieces of 8 MiB, asks about it, lists and deletes it', async () => {
    const bytes = longText(17 * 1024 * 1024 + 5);
    const file = await client.files.upload({
      file: new Blob([Uint8Array.from(bytes)], { type: 'text/plain' }),
      config: { displayName: 'notes' },
    });
    expect(file).toMatchObject({ displayName: 'notes', sizeBytes: String(bytes.length), state: 'ACTIVE' });
    const commands = running.wire.filter(({ path }) => path.includes('/upload/')).length;
    expect(commands).toBe(4);
    const { name = '', uri = '', mimeType = '' } = file;
    expect((await client.files.get({ name })).uri).toBe(uri);
    const answer = await client.models.generateContent({
      model: boundModel,
      contents: [{ role: 'user', parts: [{ text: 'Sum it up' }, { fileData: { fileUri: uri, mimeType } }] }],
    });
    expect(answer.text).not.toBe('');
    expect((await readBlobs(running)).map((found) => found.equals(bytes))).toEqual([true]);
    const names: (string | undefined)[] = [];
    for await (const one of await client.files.list()) names.push(one.name);
    expect(names).toEqual([name]);
    await client.files.delete({ name });
    await expect(client.files.get({ name })).rejects.toMatchObject({ status: 404 });
  });
});
