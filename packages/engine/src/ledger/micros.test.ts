import { check, integer, property } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { creditsFromMicros, microsFromCredits, microsMax, parseMillionths } from './micros.ts';

describe('parseMillionths', () => {
  test.each([
    ['0', 0n],
    ['12.5', 12_500_000n],
    ['0.000001', 1n],
    ['-0.000001', -1n],
    ['9999999999.999999', 9_999_999_999_999_999n],
    [12.5, 12_500_000n],
    [0.000123, 123n],
    [-3, -3_000_000n],
  ])('reads %s', (value, millionths) => {
    expect(parseMillionths(value)).toBe(millionths);
  });

  test.each([
    '',
    '.',
    '1.',
    '.5',
    '1.0000001',
    '+1',
    '1e3',
    ' 1',
    '1 ',
    '0x1',
    '1,5',
    '12345678901',
    '٣',
    '1\n',
    '--1',
  ])('does not read %j', (value) => {
    expect(parseMillionths(value)).toBeNull();
  });

  test.each([NaN, Infinity, -Infinity, 1e-7, 1e21, 0.1 + 0.2])('does not read the number %d', (value) => {
    expect(parseMillionths(value)).toBeNull();
  });
});

describe('amounts', () => {
  test('are refused beyond a thousand million credits, either way [ledger:numbers:micro]', () => {
    expect(microsFromCredits('1000000000')).toBe(microsMax);
    expect(microsFromCredits('-1000000000')).toBe(-microsMax);
    expect(() => microsFromCredits('1000000000.000001')).toThrow('not an amount of credits');
    expect(() => microsFromCredits('-1000000000.000001')).toThrow('not an amount of credits');
    expect(() => microsFromCredits('free')).toThrow('at most six decimals: free');
  });

  test('survive as JSON numbers of at most six decimals [ledger:numbers:json]', () => {
    const survives = property(integer({ min: -(10 ** 15), max: 10 ** 15 }), (micros) => {
      const text = JSON.stringify(creditsFromMicros(BigInt(micros)));
      const [, decimals = ''] = text.split('.');
      // Below a millionth of a credit times ten, JSON writes an exponent; it is the same number.
      const plain = text.includes('e') ? Number(text).toFixed(6) : text;
      return decimals.replace(/e.*/, '').length <= 6 && microsFromCredits(plain) === BigInt(micros);
    });
    expect(check(survives, { numRuns: 20_000 })).toMatchObject({ failed: false });
  });

  test('print the smallest and the largest exactly [ledger:numbers:json]', () => {
    expect(JSON.stringify([1n, 12n, -1_500_000n, 123_456_789n, microsMax].map(creditsFromMicros))).toBe(
      '[0.000001,0.000012,-1.5,123.456789,1000000000]',
    );
  });
});
