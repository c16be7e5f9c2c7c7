import { parseChatRequest, type ChatRequest } from '@tollgate/contract';
import type { GenerationCall, Part } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { createImageBudget } from './image-budget.ts';
import { createRemoteImages, type FetchedImage, type ImageFetcher, type ImageSource } from './remote-images.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const { signal } = new AbortController();

const chatOf = (urls: readonly string[]): ChatRequest => {
  const images = urls.map((url) => ({ type: 'image_url', image_url: { url, detail: 'low' } }));
  const content = [...images, { type: 'text', text: 'Look.' }];
  const policy = { openaiCompat: true, extraFields: [], remoteImages: true };
  return parseChatRequest({ messages: [{ role: 'user', content }] }, policy);
};

const imagesIn = ({ messages }: ChatRequest) =>
  messages.flatMap(({ role, content }) =>
    role !== 'user' || typeof content === 'string' ? [] : content.filter((part) => part.type === 'remote_image'),
  );

const callOf = (parts: readonly Part[]): Omit<GenerationCall, 'operationId'> => ({
  upstreamModel: 'm',
  systemInstruction: null,
  contents: [{ role: 'user', parts: [{ kind: 'text', text: 'Look.' }, ...parts] }],
  tools: [],
  toolChoice: { kind: 'auto' },
  responseFormat: { kind: 'text' },
  sampling: {},
  outputTokensMax: 10,
});

const sourceOf = (fetch: ImageFetcher, more: Partial<ImageSource> = {}): ImageSource => ({
  fetch,
  budget: createImageBudget(),
  nowMs: () => 0,
  ...more,
});

const started = (urls: readonly string[], fetchImage: ImageFetcher, more: Partial<ImageSource> = {}) => {
  const chat = chatOf(urls);
  const images = createRemoteImages(sourceOf(fetchImage, more), 'a', chat);
  return { images, call: callOf(imagesIn(chat).map((image) => images.partOf(image))) };
};

const bytesOf = async (part: Part | undefined): Promise<Buffer> => {
  if (part?.kind !== 'blob') throw new Error('the part holds no bytes');
  const chunks: Uint8Array[] = [];
  for await (const chunk of part.read()) chunks.push(chunk);
  return Buffer.concat(chunks);
};

const refused = { kind: 'refused', code: 'unsupported_parameter', requestId: 'an-id', retryAfterMs: null } as const;

test('puts images in place of their addresses, in order, within one allowance', async () => {
  const asked: unknown[] = [];
  const { images, call } = started(['https://a.example.com/1', 'https://a.example.com/2'], (url, { bytesMax }) => {
    asked.push([url, bytesMax]);
    return Promise.resolve({ kind: 'fetched', bytes: png });
  });
  expect(images.count).toBe(2);
  expect(asked).toEqual([]);
  const { contents } = await images.fetchInto(call, signal);
  const [text, first, second] = contents[0]?.parts ?? [];
  expect(text).toEqual({ kind: 'text', text: 'Look.' });
  for (const part of [first, second]) {
    expect(part).toMatchObject({ kind: 'blob', mimeType: 'image/png', sizeBytes: png.length, detail: 'low' });
    expect(await bytesOf(part)).toEqual(png);
  }
  const all = 20 * 1_024 * 1_024;
  expect(asked).toEqual([
    ['https://a.example.com/1', all],
    ['https://a.example.com/2', all - png.length],
  ]);
  expect(images.faultOf(refused)).toBeNull();
});

test.each<[FetchedImage, string]>([
  [{ kind: 'failed', why: 'was answered with the status 404' }, 'was answered with the status 404'],
  [{ kind: 'fetched', bytes: Buffer.from('<html>') }, 'no complete image'],
  [{ kind: 'fetched', bytes: png.subarray(0, -4) }, 'no complete image'],
])('executes nothing where an image cannot be had, and names its field (%#)', async (answer, why) => {
  const { images, call } = started(['https://a.example.com/1'], () => Promise.resolve(answer));
  await expect(images.fetchInto(call, signal)).rejects.toMatchObject({
    code: 'not_executed',
    reason: 'invalid_request',
  });
  expect(images.faultOf(refused)).toMatchObject({
    code: 'invalid_image',
    requestId: 'an-id',
    message: expect.stringMatching(new RegExp(`messages\\[0\\]\\.content\\[0\\]\\.image_url\\.url .*${why}.*accepted`)),
  });
});

test('refuses more addresses than one chat may name before anything is fetched', () => {
  const urls = Array.from({ length: 17 }, (_, index) => `https://a.example.com/${index}`);
  expect(() =>
    createRemoteImages(
      sourceOf(() => expect.unreachable()),
      'a',
      chatOf(urls),
    ),
  ).toThrow(expect.objectContaining({ code: 'input_limit', message: expect.stringMatching(/17 .* at most 16/) }));
});

test('asks for nothing where a chat names no address', async () => {
  const images = createRemoteImages(
    sourceOf(() => expect.unreachable()),
    'a',
    chatOf([]),
  );
  const call = callOf([]);
  expect(await images.fetchInto(call, signal)).toBe(call);
});

test('reserves memory for each image before it is fetched, and until the call is over', async () => {
  const budget = createImageBudget();
  const url = 'https://a.example.com/1';
  // Of 256 MiB, 5 are left for a fetch that may bring 20.
  const other = budget.open('b');
  expect(other.begin(251 * 1_024 * 1_024)).toBe(true);
  const { images, call } = started([url], () => expect.unreachable(), { budget });
  await expect(images.fetchInto(call, signal)).rejects.toMatchObject({ reason: 'rate_limited', retryAfterMs: 1_000 });
  expect(images.faultOf(refused)).toBeNull();
  other.release();
  const again = started([url], () => Promise.resolve({ kind: 'fetched', bytes: png }), { budget });
  await again.images.fetchInto(again.call, signal);
  const whole = 256 * 1_024 * 1_024;
  expect(other.begin(whole - png.length + 1)).toBe(false);
  again.images.release();
  expect(other.begin(whole)).toBe(true);
});

test('gives all images of a chat 30 seconds together, and names the image that they did not suffice for', async () => {
  let now = 5;
  const urls = ['https://a.example.com/1', 'https://a.example.com/2', 'https://a.example.com/3'];
  const asked: unknown[] = [];
  const fetch: ImageFetcher = (url, { msMax }) => {
    asked.push([url, msMax]);
    now += 12_000;
    return Promise.resolve({ kind: 'fetched', bytes: png });
  };
  const { images, call } = started(urls, fetch, { nowMs: () => now });
  await expect(images.fetchInto(call, signal)).rejects.toMatchObject({ reason: 'invalid_request' });
  expect(asked).toEqual([
    [urls[0], 30_000],
    [urls[1], 18_000],
    [urls[2], 6_000],
  ]);
  expect(images.faultOf(refused)).toMatchObject({
    code: 'invalid_image',
    message: expect.stringMatching(
      /content\[2\]\.image_url\.url .* 30000 ms that all images of one chat have together/,
    ),
  });
});
