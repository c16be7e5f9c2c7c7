import { expect, test } from 'vitest';
import { toResponseError } from './response-error.ts';

const body = '{"error":{"code":"x","message":"No."}}';

/** The error that a client gets, which names itself. */
const toldTo = (
  originator: string | null,
  status: number,
  headers: Readonly<Record<string, string>> = {},
): readonly [status: number, body: unknown] => {
  const request = { header: (name: string) => (name === 'originator' ? originator : null) };
  const answer = toResponseError({ status, headers, body }, body, request);
  return [answer.status, typeof answer.body === 'string' ? JSON.parse(answer.body) : null];
};

test('tells the sort of an error in the words of these clients', () => {
  const error = { param: null, code: 'x', message: 'No.' };
  expect(toldTo(null, 404)).toEqual([404, { error: { ...error, type: 'invalid_request_error' } }]);
  expect(toldTo(null, 503)).toEqual([503, { error: { ...error, type: 'server_error' } }]);
});

test.each([
  ['what is final', 404, {}, 400],
  ['an outcome that is not known', 502, { 'x-should-retry': 'false' }, 400],
  ['what can be sent again', 503, { 'x-should-retry': 'true' }, 429],
  ['a limit', 429, {}, 429],
])('tells the agent that repeats every status but 400 and 429 of %s', (_, status, headers, told) => {
  expect(toldTo('codex_cli_rs', status, headers)[0]).toBe(told);
  expect(toldTo('another', status, headers)[0]).toBe(status);
});
