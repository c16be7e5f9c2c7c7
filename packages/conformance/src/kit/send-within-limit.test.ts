import { expect, test } from 'vitest';
import type { Answer } from '../wire/exchange.ts';
import { parseJson } from '../wire/json.ts';
import { sendWithinLimit } from './send-within-limit.ts';

const answerOf = (status: number, headers: Record<string, string> = {}): Answer => ({
  method: 'GET',
  path: '/models',
  status,
  headers: new Headers(headers),
  text: '',
  bytes: new Uint8Array(),
  json: parseJson(''),
  exchange: { request: '', response: '' },
});

const statusesOf = async (...answers: readonly Answer[]): Promise<readonly number[]> => {
  const left = [...answers];
  const seen: number[] = [];
  const last = await sendWithinLimit({ path: '/models' }, () => {
    const next = left.shift() ?? answerOf(200);
    seen.push(next.status);
    return Promise.resolve(next);
  });
  expect(last.status).toBe(seen.at(-1));
  return seen;
};

const limited = answerOf(429, { 'retry-after': '0' });

test('sends again what a limit of the host refuses', async () => {
  expect(await statusesOf(limited, limited, answerOf(200))).toEqual([429, 429, 200]);
});

test('gives up after so many times, and at once where no time is given', async () => {
  expect(await statusesOf(...Array.from({ length: 9 }, () => limited))).toHaveLength(6);
  expect(await statusesOf(answerOf(429))).toEqual([429]);
  expect(await statusesOf(answerOf(503))).toEqual([503]);
});

const absent = answerOf(503, { 'retry-after': '0' });

test('asks a gateway again that is not there for a moment, and calls the case disturbed where it stays away', async () => {
  expect(await statusesOf(absent, answerOf(200))).toEqual([503, 200]);
  await expect(statusesOf(absent, absent)).rejects.toThrow(/^disturbed: GET \/models returned 503/u);
});

test('takes a 503 that the case asks for as it is', async () => {
  const answer = await sendWithinLimit({ path: '/models', wants503: true }, () => Promise.resolve(absent));
  expect(answer.status).toBe(503);
});
