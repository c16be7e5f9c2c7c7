import { expect, test } from 'vitest';
import { openingError } from './opening-error.ts';

const failure = (code: string, message: string): Error => Object.assign(new Error(message), { code });

test('says what to do about a database that cannot be opened, with the same code', () => {
  const refused = failure('ECONNREFUSED', 'connect ECONNREFUSED 127.0.0.1:5432');
  expect(openingError(refused, {})).toMatchObject({
    code: 'ECONNREFUSED',
    message:
      'the database cannot be opened (connect ECONNREFUSED 127.0.0.1:5432): no database listens there: start it, or correct its address',
    cause: refused,
  });
  const wrong = failure('28P01', 'password authentication failed for user "a"');
  expect(openingError(wrong, { '28P01': 'correct the password' })).toMatchObject({
    code: '28P01',
    message: 'the database cannot be opened (password authentication failed for user "a"): correct the password',
  });
});

test('finds the text of a failure of several addresses', () => {
  const both = Object.assign(new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]), {
    code: 'ECONNREFUSED',
  });
  expect(openingError(both, {})).toMatchObject({ message: expect.stringContaining('ECONNREFUSED ::1:5432') });
});

test('leaves what it has no advice for as it is', () => {
  for (const cause of [failure('XX000', 'internal'), new Error('no code'), 'text'])
    expect(openingError(cause, {})).toBe(cause);
});
