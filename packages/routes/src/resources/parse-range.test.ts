import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseRange } from './parse-range.ts';

const part = (fromByte: number, toByte: number) => ({ kind: 'part', fromByte, toByte });

test.each([
  ['bytes=0-0', part(0, 1)],
  ['bytes=0-99', part(0, 100)],
  ['bytes=10-', part(10, 100)],
  ['bytes=-10', part(90, 100)],
  ['bytes=-1000', part(0, 100)],
  ['bytes=90-1000', part(90, 100)],
  ['Bytes=5-5', part(5, 6)],
  ['bytes= 5-6 ', part(5, 7)],
])('reads %s of 100 bytes [resources:content:headers]', (header, range) => {
  expect(parseRange(header, 100)).toEqual(range);
});

test.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])(
  'cannot meet %s of 100 bytes [resources:content:headers]',
  (header) => {
    expect(parseRange(header, 100)).toEqual({ kind: 'unsatisfiable' });
  },
);

test.each([
  null,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=5-4',
  'bytes=0-1,3-4',
  'items=0-1',
  'bytes=a-b',
  'bytes=1.5-2',
])('returns the whole to %j', (header) => {
  expect(parseRange(header, 100)).toEqual({ kind: 'whole' });
});

test('meets no range of nothing', () => {
  expect(parseRange('bytes=0-', 0)).toEqual({ kind: 'unsatisfiable' });
  expect(parseRange('bytes=-5', 0)).toEqual({ kind: 'unsatisfiable' });
  expect(parseRange(null, 0)).toEqual({ kind: 'whole' });
});

test('never returns a range outside of the content', () => {
  fc.assert(
    fc.property(fc.nat(1_000), fc.nat(1_200), fc.nat(1_200), (sizeBytes, first, last) => {
      for (const header of [`bytes=${first}-${last}`, `bytes=${first}-`, `bytes=-${last}`]) {
        const range = parseRange(header, sizeBytes);
        if (range.kind !== 'part') continue;
        expect(range.fromByte).toBeGreaterThanOrEqual(0);
        expect(range.fromByte).toBeLessThan(range.toByte);
        expect(range.toByte).toBeLessThanOrEqual(sizeBytes);
      }
    }),
  );
});
