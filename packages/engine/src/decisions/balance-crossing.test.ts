import { describe, expect, test } from 'vitest';
import { fallsBelow, shareReached } from './balance-crossing.ts';

describe('a balance that falls below its threshold', () => {
  test.each([
    [100n, 49n, true],
    [50n, 49n, true],
    [50n, 50n, false],
    [49n, 40n, false],
    [40n, 60n, false],
    [60n, 0n, true],
  ])('from %s to %s of 50: %s', (beforeMicros, afterMicros, crossed) => {
    expect(fallsBelow({ beforeMicros, afterMicros }, 50n)).toBe(crossed);
  });
});

describe('the share of a topped-up balance that is used up', () => {
  const shares = [50, 80, 100];

  test.each([
    [100n, 51n, null],
    [100n, 50n, 50],
    [50n, 21n, null],
    [51n, 20n, 80],
    [100n, 0n, 100],
    [1n, 0n, 100],
    [0n, 0n, null],
    [20n, 90n, null],
  ])('from %s to %s of 100: %s', (beforeMicros, afterMicros, share) => {
    expect(shareReached({ beforeMicros, afterMicros }, 100n, shares)).toBe(share);
  });

  test('is none where nothing was topped up, and exact where the balance is no multiple of a hundred', () => {
    expect(shareReached({ beforeMicros: 5n, afterMicros: 0n }, 0n, shares)).toBeNull();
    expect(shareReached({ beforeMicros: 3n, afterMicros: 2n }, 3n, shares)).toBeNull();
    expect(shareReached({ beforeMicros: 2n, afterMicros: 1n }, 3n, shares)).toBe(50);
  });

  test('follows the order of amounts at the bound of every amount', () => {
    const toppedMicros = 10n ** 15n;
    expect(
      shareReached({ beforeMicros: toppedMicros, afterMicros: toppedMicros / 2n + 1n }, toppedMicros, shares),
    ).toBeNull();
    expect(shareReached({ beforeMicros: toppedMicros, afterMicros: toppedMicros / 2n }, toppedMicros, shares)).toBe(50);
  });
});
