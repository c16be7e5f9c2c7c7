import { NotExecuted, UnknownOutcome } from '@tollgate/provider';
import { expect, test } from 'vitest';
import { causeLines } from './cause-lines.ts';

test('writes each cause with its code, its status and its message, the outermost first', () => {
  const upstream = { status: 401, codes: ['invalid_api_key'], message: 'Incorrect API key provided: [key]' };
  expect(causeLines(new NotExecuted({ reason: 'unavailable', cause: upstream }))).toEqual([
    'NotExecuted, not_executed: not executed: unavailable',
    'status 401, invalid_api_key: Incorrect API key provided: [key]',
  ]);
});

test('tells a refused connection, also where every address refused', () => {
  const refused = Object.assign(new Error('connect ECONNREFUSED ::1:9'), { code: 'ECONNREFUSED' });
  const all = Object.assign(new AggregateError([refused]), { code: 'ECONNREFUSED' });
  expect(causeLines(new UnknownOutcome('connection_lost', all))).toEqual([
    'UnknownOutcome, unknown_outcome: outcome unknown: connection_lost',
    'AggregateError, ECONNREFUSED: connect ECONNREFUSED ::1:9',
  ]);
});

test.each([
  ['a text', ['a text']],
  [['too violent', 'too long'], ['too violent; too long']],
  [{ finishReason: 'SAFETY' }, ['SAFETY']],
  [{ requestBodyValues: { prompt: 'private' } }, []],
  [undefined, []],
])('reads %j', (thrown, lines) => {
  expect(causeLines(thrown)).toEqual(lines);
});

test('follows five causes, also in a circle', () => {
  const circle: { message: string; cause?: unknown } = { message: 'again' };
  circle.cause = circle;
  expect(causeLines(circle)).toEqual(['again', 'again', 'again', 'again', 'again']);
});

test('cuts a long text', () => {
  expect(causeLines(new Error('x'.repeat(5_000)))[0]).toHaveLength(1_001);
});

test('hides credentials that an error repeats', () => {
  expect(causeLines('GET http://a/live?key=AIza-1&b=2 with authorization: Bearer sk-1')).toEqual([
    'GET http://a/live?key=[hidden]&b=2 with authorization: Bearer [hidden]',
  ]);
});
