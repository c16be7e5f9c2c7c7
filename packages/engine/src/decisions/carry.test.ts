import { describe, expect, test } from 'vitest';
import { carryAmount, exactPicos, fixedMeasure, measureOfPicos } from './carry.ts';

describe('what an account carries', () => {
  test('is debited as soon as it makes a whole micro-credit', () => {
    const debits: bigint[] = [];
    let remainder = 0;
    for (let call = 0; call < 8; call += 1) {
      const { amountMicros, carriedPicos } = carryAmount(remainder, measureOfPicos(300_000n));
      remainder += carriedPicos;
      debits.push(amountMicros);
    }
    expect(debits).toEqual([0n, 0n, 0n, 1n, 0n, 0n, 1n, 0n]);
    expect(remainder).toBe(400_000);
  });

  test('never takes more than the amount rounded up, nor less than nothing, and loses nothing', () => {
    const amounts = [0n, 1n, 999_999n, 1_000_000n, 1_000_001n, 2_500_000n];
    for (const remainder of [-3_000_000, -1, 0, 1, 999_999, 1_000_000, 5_700_000])
      for (const picos of amounts) {
        const { amountMicros, carriedPicos } = carryAmount(remainder, measureOfPicos(picos));
        expect(amountMicros).toBeGreaterThanOrEqual(0n);
        expect(amountMicros).toBeLessThanOrEqual((picos + 999_999n) / 1_000_000n);
        expect(amountMicros * 1_000_000n + BigInt(carriedPicos)).toBe(picos);
      }
  });

  test('may be more than a micro-credit after fixed amounts, and goes down by what rounds later prices up', () => {
    const fixed = { micros: 7n, fractionPicos: 900_000, isFixed: true } as const;
    let remainder = 0;
    for (let verdict = 0; verdict < 4; verdict += 1) remainder += carryAmount(remainder, fixed).carriedPicos;
    expect(remainder).toBe(3_600_000);
    const remainders: number[] = [];
    for (let call = 0; call < 6; call += 1) {
      remainder += carryAmount(remainder, measureOfPicos(1_300_000n)).carriedPicos;
      remainders.push(remainder);
    }
    expect(remainders).toEqual([2_900_000, 2_200_000, 1_500_000, 800_000, 100_000, 400_000]);
  });

  test('leaves an amount that was reported as it is', () => {
    expect(carryAmount(999_999, fixedMeasure(7n))).toEqual({ amountMicros: 7n, carriedPicos: 0 });
    const told = { micros: 7n, fractionPicos: -300_000, isFixed: true } as const;
    expect(carryAmount(999_999, told)).toEqual({ amountMicros: 7n, carriedPicos: -300_000 });
  });

  test('is nothing of an amount that was paid before', () => {
    expect(carryAmount(5, { micros: -2n, fractionPicos: 300_000 })).toEqual({ amountMicros: 0n, carriedPicos: 0 });
  });

  test('is the exact amount in two parts, also below zero', () => {
    for (const picos of [-1n, -1_000_000n, -1_500_000n, 0n, 1n, 1_999_999n]) {
      const measure = measureOfPicos(picos);
      expect(exactPicos(measure)).toBe(picos);
      expect(measure.fractionPicos).toBeGreaterThanOrEqual(0);
      expect(measure.fractionPicos).toBeLessThan(1_000_000);
    }
  });
});
