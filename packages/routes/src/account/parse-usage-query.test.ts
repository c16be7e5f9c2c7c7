import { isGatewayError } from '@tollgate/contract';
import { describe, expect, test } from 'vitest';
import type { GatewayRequest } from '../gateway-request.ts';
import { parseUsageQuery, usagePlace } from './parse-usage-query.ts';

const nowMs = Date.UTC(2026, 10, 20, 12, 30);
const day = 24 * 3_600_000;

const requestOf = (query: string): GatewayRequest => ({
  method: 'GET',
  path: '/account/usage',
  query,
  header: () => null,
  readBody: () => Promise.resolve({ kind: 'read', bytes: new Uint8Array() }),
  readBodyChunks: () => {
    throw new Error('a query has no body');
  },
  isGone: () => false,
  onGone: () => () => undefined,
});

const parse = (query: Readonly<Record<string, string>>) =>
  parseUsageQuery(requestOf(new URLSearchParams(query).toString()), nowMs);

const refusal = (query: Readonly<Record<string, string>>): string => {
  try {
    parse(query);
  } catch (error) {
    if (isGatewayError(error)) return `${error.code}: ${error.message}`;
    throw error;
  }
  return 'accepted';
};

describe('the query of usage', () => {
  test('is the last 30 days to the end of this hour, in one sum, where nothing is said', () => {
    const untilMs = Date.UTC(2026, 10, 20, 13);
    expect(parse({})).toEqual({
      fromMs: untilMs - 30 * day,
      untilMs,
      bucket: 'total',
      groupBy: [],
      limit: 100,
      after: undefined,
    });
  });

  test('reads times of any zone, groups in their order, and days as periods', () => {
    const range = { from: '2026-11-01T00:00:00+01:00', until: '2026-11-02T00:00:00.000+01:00' };
    expect(parse({ ...range, group_by: 'key,day,model', limit: '7' })).toMatchObject({
      fromMs: Date.UTC(2026, 9, 31, 23),
      untilMs: Date.UTC(2026, 10, 1, 23),
      bucket: 'day',
      groupBy: ['keyId', 'model'],
      limit: 7,
    });
  });

  test('goes on behind the place of a page, in the range of that page', () => {
    const first = parse({ group_by: 'model' });
    const place = { fromMs: first.fromMs, values: ['a "model", ü'] };
    const after = usagePlace(first, place);
    expect(parseUsageQuery(requestOf(`group_by=model&after=${after}`), nowMs + 5 * day)).toEqual({
      ...first,
      after: place,
    });
    const other = refusal({ group_by: 'model', after, from: '2026-11-01T00:00:00Z' });
    expect(other).toContain('The parameter after is not valid');
    expect(refusal({ group_by: 'day', after })).toContain('The parameter after is not valid');
  });

  test.each([
    ['colour', 'red', 'The parameter colour is unknown; accepted are from, until, group_by, limit, after.'],
    ['from', '2026-11-01T00:30:00Z', 'The parameter from is not valid; accepted is an ISO 8601 time'],
    ['from', '2026-11-21T00:00:00Z', 'The parameter from is not valid; accepted is a time before until.'],
    ['from', '2020-01-01T00:00:00Z', 'accepted is at most 1100 days before until.'],
    ['from', '1969-12-31T23:00:00Z', 'accepted is an ISO 8601 time'],
    ['from', '2026-11-01T00:00:00', 'accepted is an ISO 8601 time'],
    ['from', '2026-13-01T00:00:00Z', 'accepted is an ISO 8601 time'],
    ['from', '2026-11-20T13:00:00Z', 'accepted is a time before until.'],
    ['group_by', 'model,model', 'accepted is some of model, day, key, project, each once'],
    ['limit', '101', 'accepted is a whole number from 1 to 100.'],
    ['after', 'W10', 'accepted is the next of a page of the same query.'],
  ])('is refused by the name of the parameter: %s=%s', (name, value, said) => {
    expect(refusal({ [name]: value })).toContain(said);
    expect(refusal({ [name]: value })).toContain('invalid_request');
  });
});
