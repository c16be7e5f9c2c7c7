import { assert, bigInt, property } from 'fast-check';
import { expect, test } from 'vitest';
import { wantedLiveHold } from './live-hold.ts';

test('leaves a hold alone that covers half a period and the dearest piece', () => {
  const standing = { usedMicros: 40n, holdMicros: 100n, periodMicros: 100n, largestMicros: 60n };
  expect(wantedLiveHold(standing)).toBeNull();
  expect(wantedLiveHold({ ...standing, usedMicros: 41n })).toEqual({ wantedMicros: 201n, leastMicros: 101n });
});

const amount = bigInt({ min: 0n, max: 10n ** 12n });

test('whatever was used: what is wanted covers it, the reserve and a period, and is more than is held [live:reservation:renewed]', () => {
  assert(
    property(amount, amount, amount, amount, (usedMicros, holdMicros, periodMicros, largestMicros) => {
      const wanting = wantedLiveHold({ usedMicros, holdMicros, periodMicros, largestMicros });
      const half = (periodMicros + 1n) / 2n;
      const covered = holdMicros - usedMicros >= half && holdMicros - usedMicros >= largestMicros;
      expect(wanting === null).toBe(covered);
      if (wanting === null) return;
      const { wantedMicros, leastMicros } = wanting;
      const raises = leastMicros > holdMicros && wantedMicros === leastMicros + periodMicros;
      const covers = leastMicros - usedMicros >= half && leastMicros - usedMicros >= largestMicros;
      return raises && covers;
    }),
  );
});
