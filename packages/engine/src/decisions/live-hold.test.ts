import { assert, bigInt, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { coveredSentMicros, wantedLiveHold, wantedSentHold } from './live-hold.ts';

const holdState = { usedMicros: 40n, holdMicros: 100n, periodMicros: 100n, largestMicros: 60n, largestSentMicros: 0n };

test('leaves a hold alone that covers half a period and the most expensive piece', () => {
  expect(wantedLiveHold(holdState)).toBeNull();
  expect(wantedLiveHold({ ...holdState, usedMicros: 41n })).toEqual({ wantedMicros: 201n, leastMicros: 101n });
});

test('wants ahead what a turn has sent so far, and goes on without it', () => {
  expect(wantedLiveHold({ ...holdState, largestSentMicros: 7n })).toEqual({ wantedMicros: 207n, leastMicros: 100n });
  expect(wantedLiveHold({ ...holdState, largestSentMicros: 7n, holdMicros: 107n })).toBeNull();
});

test('covers the input that is left beside the reserve, and extends by a period or twice the input beyond it', () => {
  const wide = { ...holdState, holdMicros: 180n };
  expect(coveredSentMicros(wide)).toBe(80n);
  expect(wantedSentHold(wide, 80n)).toBeNull();
  // 40 used, 60 in reserve, 81 sent: at the least 12 more, which is an eighth of a period.
  expect(wantedSentHold(wide, 81n)).toEqual({ wantedMicros: 281n, leastMicros: 193n });
  expect(wantedSentHold(wide, 1_000n)).toEqual({ wantedMicros: 2_100n, leastMicros: 1_112n });
});

const amount = bigInt({ min: 0n, max: 10n ** 12n });
const anyHold = record({
  usedMicros: amount,
  holdMicros: amount,
  periodMicros: amount,
  largestMicros: amount,
  largestSentMicros: amount,
});

test('whatever was used: what is wanted covers it, the reserve and a period, and is more than is held [live:reservation:renewed]', () => {
  assert(
    property(anyHold, (any) => {
      const { usedMicros, holdMicros, periodMicros, largestMicros, largestSentMicros } = any;
      const wanting = wantedLiveHold(any);
      const half = (periodMicros + 1n) / 2n;
      const left = holdMicros - usedMicros - largestSentMicros;
      expect(wanting === null).toBe(left >= half && left >= largestMicros);
      if (wanting === null) return;
      const { wantedMicros, leastMicros } = wanting;
      const raises = wantedMicros > holdMicros && wantedMicros === leastMicros + largestSentMicros + periodMicros;
      const covers = leastMicros - usedMicros >= half && leastMicros - usedMicros >= largestMicros;
      return raises && covers;
    }),
  );
});

test('whatever is sent: a hold that was extended covers it, and twice as much where the balance has it [live:reservation:renewed]', () => {
  assert(
    property(anyHold, amount, (before, sent) => {
      const { holdMicros } = before;
      const wanting = wantedSentHold(before, sent);
      expect(wanting === null).toBe(sent <= coveredSentMicros(before));
      if (wanting === null) return;
      const { wantedMicros, leastMicros } = wanting;
      expect(wantedSentHold({ ...before, holdMicros: leastMicros }, sent)).toBeNull();
      expect(wantedSentHold({ ...before, holdMicros: wantedMicros }, 2n * sent)).toBeNull();
      return leastMicros > holdMicros && wantedMicros > holdMicros;
    }),
  );
});

test('extends the hold for an ordinary conversation with its notes: few frames ever wait', () => {
  // Ten seconds heard and ten spoken a turn; a minute of both is the period. The context is read again in each turn.
  const session = {
    usedMicros: 0n,
    holdMicros: 23_760n,
    periodMicros: 23_760n,
    largestMicros: 0n,
    largestSentMicros: 0n,
  };
  const framesPerTurn = 500n;
  let waits = 0;
  for (let turn = 0n; turn < 100n; turn += 1n) {
    for (let frame = 1n; frame <= framesPerTurn; frame += 1n) {
      const wanting = wantedSentHold(session, (960n * frame) / framesPerTurn);
      if (wanting === null) continue;
      waits += 1;
      session.holdMicros = wanting.wantedMicros;
    }
    const pieceMicros = 3_960n + 570n * turn;
    session.usedMicros += pieceMicros;
    session.largestMicros = pieceMicros;
    session.largestSentMicros = 960n;
    session.holdMicros = wantedLiveHold(session)?.wantedMicros ?? session.holdMicros;
  }
  expect(waits).toBe(0);
});

test('keeps half of a period, rounded up, for the current turn', () => {
  const state = { usedMicros: 0n, holdMicros: 100n, largestMicros: 0n, largestSentMicros: 0n };
  expect(coveredSentMicros({ ...state, periodMicros: 10n })).toBe(95n);
  expect(coveredSentMicros({ ...state, periodMicros: 11n })).toBe(94n);
});
