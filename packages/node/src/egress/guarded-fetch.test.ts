import { expect, test } from 'vitest';
import { createGuardedFetch } from './guarded-fetch.ts';
import type { Egress, GuardedRequest } from './guarded-request.ts';
import type { OpenAnswer } from './open-answer.ts';

const limits = { deadlineMs: 1_000, answerBytesMax: 8 };

const check: Egress['check'] = () => Promise.reject(new Error('it is asked to open alone'));

const refused: Egress['open'] = () => Promise.resolve({ kind: 'refused', reason: 'host' });

const answering = (status: number, pieces: readonly string[] = []) => {
  const asked: GuardedRequest[] = [];
  let closed = 0;
  const answer: OpenAnswer = {
    kind: 'answered',
    status,
    headers: { 'x-one': 'a', 'x-two': ['b', 'c'] },
    url: new URL('https://example.com/'),
    chunks: (async function* () {
      for (const piece of pieces) yield Buffer.from(piece);
    })(),
    discard: () => Promise.resolve(),
    isWhole: () => true,
    close: () => {
      closed += 1;
    },
  };
  const egress: Egress = {
    check,
    open: (request) => {
      asked.push(request);
      return Promise.resolve(answer);
    },
    close: () => {},
  };
  return { fetch: createGuardedFetch(egress, limits), asked, closed: () => closed };
};

test('hands the request on, and returns status, headers and body', async () => {
  const { fetch, asked } = answering(200, ['ab', 'cd']);
  const response = await fetch('https://example.com/', { method: 'POST', headers: { A: '1' }, body: 'x' });
  expect(asked[0]).toMatchObject({ method: 'POST', headers: { a: '1' }, body: 'x', deadlineMs: 1_000 });
  expect(response.status).toBe(200);
  expect(response.headers.get('x-two')).toBe('b, c');
  expect(await response.text()).toBe('abcd');
});

test.each([{}, { body: null }])('sends no body where there is none: %j', async (init) => {
  const { fetch, asked } = answering(200);
  await fetch('https://example.com/', init);
  expect(asked[0]).toMatchObject({ method: 'GET' });
  expect(asked[0]?.body).toBeUndefined();
});

test('sends no body that is neither text nor bytes', async () => {
  const { fetch } = answering(200);
  await expect(fetch('https://example.com/', { method: 'POST', body: new FormData() })).rejects.toThrow(
    'a body of text or bytes',
  );
});

test.each([204, 304])('closes an answer of status %i, which has no body', async (status) => {
  const { fetch, closed } = answering(status);
  expect((await fetch('https://example.com/')).body).toBeNull();
  expect(closed()).toBe(1);
});

test('breaks off an answer that is longer than its bound, and takes one that is as long', async () => {
  expect(await (await answering(200, ['12345678']).fetch('https://example.com/')).text()).toBe('12345678');
  const { fetch, closed } = answering(200, ['12345678', '9']);
  await expect((await fetch('https://example.com/')).text()).rejects.toThrow('The answer is too long');
  expect(closed()).toBe(1);
});

test('throws what a client of fetch expects where no answer comes', async () => {
  const fetch = createGuardedFetch({ check, open: refused, close: () => {} }, limits);
  await expect(fetch('https://example.com/')).rejects.toThrow('No answer: refused, host');
});
