import { describe, expect, test } from 'vitest';
import { toRequestVerdict } from './to-request-verdict.ts';

const go = { kind: 'go', model: null, tags: null };

describe('what a hook decided', () => {
  test.each([[undefined], [null], [{}], [{ tags: {} }], [{ refuse: undefined }]])('goes on by %j', (answer) => {
    expect(toRequestVerdict(answer)).toEqual(go);
  });

  test('takes a model and tags together', () => {
    expect(toRequestVerdict({ model: 'm', tags: { a: '1' } })).toEqual({ kind: 'go', model: 'm', tags: { a: '1' } });
  });

  test('refuses with 403 unless another code is given', () => {
    expect(toRequestVerdict({ refuse: {} })).toEqual({
      kind: 'refuse',
      code: 'request_refused',
      message: null,
      retryAfterMs: null,
    });
    expect(toRequestVerdict({ refuse: { code: 'rate_limited', message: 'Later.', retryAfterMs: 5 } })).toEqual({
      kind: 'refuse',
      code: 'rate_limited',
      message: 'Later.',
      retryAfterMs: 5,
    });
  });

  test('cuts a message at its bound, and keeps control characters out of it', () => {
    const verdict = toRequestVerdict({ refuse: { message: `a\r\nb${'x'.repeat(2_000)}` } });
    expect(verdict).toMatchObject({ kind: 'refuse', message: `a b${'x'.repeat(996)}` });
  });

  test.each([
    [true, 'the decision is not an object'],
    [[], 'the decision is not an object'],
    [{ refused: {} }, 'unknown member refused'],
    [{ refuse: true }, 'refuse is not an object'],
    [{ refuse: { code: 'teapot' } }, 'refuse.code'],
    [{ refuse: { code: 'request_failed' } }, 'refuse.code'],
    [{ refuse: { message: 1 } }, 'refuse.message'],
    [{ refuse: { retryAfterMs: -1 } }, 'refuse.retryAfterMs'],
    [{ refuse: { status: 403 } }, 'unknown member status'],
    [{ refuse: {}, tags: {} }, 'refuse beside another member'],
    [{ model: 1 }, 'model is not a text'],
    [{ tags: [] }, 'tags is not an object'],
    [{ tags: { a: 1 } }, 'tags.a'],
    [{ tags: { a: 'x'.repeat(257) } }, 'tags.a'],
    [{ tags: { '': 'x' } }, 'a name of tags'],
    [{ tags: { ['n'.repeat(65)]: 'x' } }, 'a name of tags'],
    [{ tags: Object.fromEntries(Array.from({ length: 17 }, (_, at) => [`t${at}`, 'x'])) }, 'more than 16'],
  ])('takes %j for no decision', (answer, fault) => {
    expect(toRequestVerdict(answer)).toEqual({ kind: 'nonsense', fault: expect.stringContaining(fault) });
  });
});
