import { expect, test } from 'vitest';
import type { RuleId } from '../rules/rules.ts';
import type { Answer } from '../wire/exchange.ts';
import { parseJson } from '../wire/json.ts';
import { createFindings } from './findings.ts';
import { watchAnswer } from './watch-answers.ts';

const id = '01900000-0000-7000-8000-000000000000';

const answerOf = (
  status: number,
  body: unknown,
  more: { path?: string; headers?: Record<string, string> } = {},
): Answer => {
  const text = JSON.stringify(body);
  return {
    method: 'GET',
    path: more.path ?? '/stores',
    status,
    headers: new Headers({ 'x-request-id': id, ...more.headers }),
    text,
    bytes: Buffer.from(text),
    json: parseJson(text),
    exchange: { request: '', response: '' },
  };
};

const brokenBy = (answer: Answer): readonly RuleId[] => {
  const findings = createFindings();
  watchAnswer(answer, { keys: ['tg_secret'] }, findings);
  return findings.failures.map(({ rule }) => rule);
};

const error = (code: string, more: object = {}) => ({ error: { code, message: 'No.', ...more } });
const store = { id, object: 'store', request_id: id, status: 'active', charged_credits: 0.000001, reserved_credits: 0 };

test.each<[string, Answer]>([
  ['a record', answerOf(200, store)],
  ['an error of a route', answerOf(404, error('not_found'))],
  ['an error of a query', answerOf(404, { error: 'No.' }, { path: '/models/none' })],
  ['a failure with its id', answerOf(502, error('request_failed', { request_id: id }))],
])('finds nothing wrong in %s', (_, answer) => {
  expect(brokenBy(answer)).toEqual([]);
});

test.each<[string, RuleId, Answer]>([
  ['a redirect', 'auth:host:no-redirect', answerOf(302, {}, { headers: { location: '/x' } })],
  ['a key in the body', 'auth:key:never-echoed', answerOf(200, { key: 'tg_secret' })],
  ['a key in a header', 'auth:key:never-echoed', answerOf(200, {}, { headers: { 'x-key': 'Bearer tg_secret' } })],
  ['a status of its own', 'errors:status:vocabulary', answerOf(418, error('not_found'))],
  ['another request id', 'errors:format:x-request-id', answerOf(502, error('request_failed', { request_id: 'x' }))],
  ['a code of its own', 'errors:code:extra-codes', answerOf(422, error('teapot'))],
  ['a code with another status', 'errors:code:status-table', answerOf(400, error('not_found'))],
  ['an id of nothing', 'errors:format:request-id', answerOf(401, error('invalid_api_key', { request_id: id }))],
  ['an object for a query', 'errors:format:string', answerOf(404, error('not_found'), { path: `/requests/${id}` })],
  ['credits as text', 'ledger:numbers:json', answerOf(200, { ...store, charged_credits: '1' })],
  ['too many decimals', 'ledger:numbers:json', answerOf(200, { ...store, charged_credits: 0.12345678 })],
  ['a name of an upstream', 'versioning:neutral-names', answerOf(200, { openai_id: 'x' })],
  ['a state of another type', 'resources:states:by-kind', answerOf(200, { ...store, status: 'completed' })],
  ['a state of its own', 'resources:states:vocabulary', answerOf(200, { ...store, status: 'cancelled' })],
  [
    'another id in a list',
    'resources:record:id-is-request-id',
    answerOf(200, { data: [{ ...store, request_id: 'x' }] }),
  ],
  ['an id that is no uuid', 'auth:path:ids-are-uuids', answerOf(200, { ...store, id: 'st_1', request_id: 'st_1' })],
  [
    'a state of a resource',
    'requests:record:states',
    answerOf(200, { status: 'settling' }, { path: `/requests/${id}` }),
  ],
])('finds %s', (_, rule, answer) => {
  expect(brokenBy(answer)).toContain(rule);
});
