import { afterAll, beforeAll, expect, test } from 'vitest';
import { readEvents } from '../wire/read-events.ts';
import { startUpstream, type Upstream } from './scripted-upstream.ts';

let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream(0);
});
afterAll(() => upstream.close());

const ask = (content: string, more: object = {}): Promise<Response> =>
  fetch(`${upstream.url}/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'm', messages: [{ role: 'user', content }], ...more }),
  });

const call = (json: string) => ({ type: 'function', function: { name: 'look', arguments: json } });

test('returns the text, the usage and the end that a directive asks for', async () => {
  const answer: unknown = await (
    await ask('[[sandbox: echo Good day]] [[sandbox: tokens in=7 out=3]] [[sandbox: length]]')
  ).json();
  expect(answer).toMatchObject({
    model: 'm',
    choices: [{ message: { content: 'Good' }, finish_reason: 'length' }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 },
  });
});

test('proposes calls of functions, and goes on after their results', async () => {
  const content = '[[sandbox: tool look {"at":1}]] [[sandbox: tool look]]';
  const answer: unknown = await (await ask(content)).json();
  expect(answer).toMatchObject({
    choices: [{ message: { content: null, tool_calls: [call('{"at":1}'), call('{}')] } }],
  });
  const messages = [
    { role: 'user', content },
    { role: 'tool', tool_call_id: 'a', content: 'seen' },
  ];
  const next: unknown = await (await ask('', { messages })).json();
  expect(next).toMatchObject({ choices: [{ finish_reason: 'stop' }] });
});

test('streams in as many pieces as are asked for', async () => {
  const events = readEvents(
    await (await ask('[[sandbox: stream 3]] [[sandbox: echo abcdef]]', { stream: true })).text(),
  );
  const contents = events.flatMap(({ data }) => /"content":"([a-f]+)"/u.exec(data)?.[1] ?? []);
  expect(contents).toEqual(['ab', 'cd', 'ef']);
  expect(events.at(-1)?.data).toBe('[DONE]');
});

test.each([
  ['fail', 500],
  ['unavailable', 503],
  ['invalid', 400],
  ['input-limit', 400],
  ['rate-limited 3', 429],
])('refuses %s with %i', async (directive, status) => {
  const answer = await ask(`[[sandbox: ${directive}]]`);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('retry-after')).toBe(status === 429 ? '3' : null);
});

test.each(['unknown', 'cut 1'])('loses the response of %s', async (directive) => {
  await expect(ask(`[[sandbox: ${directive}]]`)).rejects.toThrow('fetch failed');
});

test('remembers what it was asked', async () => {
  await ask('marker-4711');
  expect(upstream.about('marker-4711').map(({ path }) => path)).toEqual(['/v1/chat/completions']);
  expect(upstream.about('marker-4712')).toEqual([]);
});

test('makes one vector for each text', async () => {
  const body = JSON.stringify({ model: 'e', input: ['a', 'b'], dimensions: 4 });
  const answer: unknown = await (await fetch(`${upstream.url}/embeddings`, { method: 'POST', body })).json();
  expect(answer).toMatchObject({ data: [{ index: 0 }, { index: 1 }], usage: { total_tokens: 1 } });
});
