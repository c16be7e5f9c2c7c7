import { expect, test } from 'vitest';
import { checkHistory } from './history-checker.ts';
import type { HistoryViolation, LedgerCall, LedgerReply, RecordedCall } from './ledger-history.ts';

const recorded = (call: LedgerCall, reply: LedgerReply, times: readonly [number, number]): RecordedCall => ({
  accountId: 'a',
  call,
  reply,
  startedAt: times[0],
  endedAt: times[1],
});

const deposit = (reference: string, amountMicros: bigint): LedgerCall => ({ kind: 'deposit', reference, amountMicros });
const open = (operationId: string, holdMicros: bigint, fingerprint = 'f'): LedgerCall => ({
  kind: 'open',
  operationId,
  identity: `i ${operationId}`,
  fingerprint,
  holdMicros,
});
const settle = (operationId: string, measuredMicros: bigint): LedgerCall => ({
  kind: 'settle',
  operationId,
  measuredMicros,
  absorbs: false,
});

/** Two openings race for a balance that covers one; the winner is extended, captured and settled, the loser comes again. */
const trueHistory: readonly RecordedCall[] = [
  recorded(deposit('d1', 100n), { kind: 'done', walletSeq: 1, balanceMicros: 100n }, [0, 1]),
  recorded(open('o1', 60n), { kind: 'started', walletSeq: 2 }, [2, 6]),
  recorded(open('o2', 60n), { kind: 'insufficient', walletSeq: 2, availableMicros: 40n }, [3, 5]),
  recorded(open('o3', 60n, 'g'), { kind: 'refused' }, [3, 5]),
  recorded({ kind: 'extend', operationId: 'o1', holdMicros: 80n }, { kind: 'extended', walletSeq: 3 }, [7, 9]),
  recorded(
    { kind: 'capture', operationId: 'o1', sequence: 1, amountMicros: 30n },
    { kind: 'captured', walletSeq: 4 },
    [8, 12],
  ),
  recorded(deposit('d1', 100n), { kind: 'repeated', walletSeq: 4, balanceMicros: 70n }, [10, 13]),
  recorded(settle('o1', 90n), { kind: 'settled', walletSeq: 5 }, [14, 15]),
  recorded(settle('o1', 90n), { kind: 'ended' }, [16, 17]),
  recorded(open('o2', 10n), { kind: 'started', walletSeq: 6 }, [18, 19]),
  recorded(settle('o2', 20n), { kind: 'pending', walletSeq: 6 }, [20, 21]),
  recorded(deposit('d2', 20n), { kind: 'done', walletSeq: 7, balanceMicros: 30n }, [22, 23]),
  recorded({ kind: 'fail', operationId: 'o2' }, { kind: 'failed', walletSeq: 8 }, [24, 25]),
  recorded({ ...open('o4', 10n), identity: 'i o2' } as LedgerCall, { kind: 'known', operationId: 'o2' }, [26, 27]),
  recorded(
    { ...open('o5', 1n, 'g'), identity: 'i o2' } as LedgerCall,
    { kind: 'conflict', operationId: 'o2' },
    [26, 27],
  ),
];

const lastSums = new Map([['a', { balanceMicros: 30n, reservedMicros: 0n, seq: 8 }]]);

/** The history with one call left out, put in or changed. */
const tampered = (at: number, change: (call: RecordedCall) => readonly RecordedCall[]): readonly RecordedCall[] =>
  trueHistory.flatMap((call, place) => (place === at ? change(call) : [call]));

const replied = (reply: LedgerReply) => (call: RecordedCall) => [{ ...call, reply }];

const rulesOf = (calls: readonly RecordedCall[]): readonly HistoryViolation['rule'][] =>
  checkHistory(calls, lastSums).violations.map(({ rule }) => rule);

test('finds nothing wrong with answers that a wallet could give', () => {
  expect(checkHistory(trueHistory, lastSums)).toEqual({ calls: 15, changes: 8, violations: [] });
});

test('does not mind in which order calls were recorded', () => {
  expect(rulesOf(trueHistory.toReversed())).toEqual([]);
});

test.each<[string, HistoryViolation['rule'], readonly RecordedCall[]]>([
  ['a change that nobody made', 'change_unexplained', tampered(4, () => [])],
  [
    'two that made the same change',
    'change_made_twice',
    tampered(1, (call) => [call, { ...call, call: open('o9', 1n) }]),
  ],
  [
    'an opening that free balance did not cover',
    'answer_not_justified',
    tampered(1, (call) => [{ ...call, call: open('o1', 101n) }]),
  ],
  [
    'a refusal for balance that was there',
    'answer_not_justified',
    tampered(2, (call) => [{ ...call, call: open('o2', 40n) }]),
  ],
  [
    'a wrong amount of free balance',
    'answer_not_justified',
    tampered(2, replied({ kind: 'insufficient', walletSeq: 2, availableMicros: 41n })),
  ],
  ['a refusal at another moment', 'answer_not_justified', tampered(2, replied({ kind: 'insufficient', walletSeq: 1 }))],
  [
    'a wrong balance after a deposit',
    'answer_not_justified',
    tampered(11, replied({ kind: 'done', walletSeq: 7, balanceMicros: 31n })),
  ],
  ['a deposit made twice', 'answer_not_justified', tampered(11, (call) => [{ ...call, call: deposit('d1', 100n) }])],
  [
    'a settlement left pending although balance was there',
    'answer_not_justified',
    tampered(10, (call) => [{ ...call, call: settle('o2', 10n) }]),
  ],
  [
    'a settlement beyond what could be paid',
    'answer_not_justified',
    tampered(7, (call) => [{ ...call, call: settle('o1', 900n) }]),
  ],
  [
    'a capture beyond the hold',
    'answer_not_justified',
    tampered(5, (call) => [{ ...call, call: { kind: 'capture', operationId: 'o1', sequence: 1, amountMicros: 81n } }]),
  ],
  [
    'a failure of what was debited in part',
    'answer_not_justified',
    tampered(7, (call) => [
      { ...call, call: { kind: 'fail', operationId: 'o1' }, reply: { kind: 'failed', walletSeq: 5 } },
    ]),
  ],
  [
    'an operation that was said to have ended before it had',
    'answer_not_justified',
    tampered(8, (call) => [{ ...call, startedAt: 10, endedAt: 13 }]),
  ],
  ['an operation that was said to be missing', 'answer_not_justified', tampered(8, replied({ kind: 'missing' }))],
  [
    'an identity answered with an operation it does not stand for',
    'answer_not_justified',
    tampered(13, replied({ kind: 'known', operationId: 'o1' })),
  ],
  [
    'a conflict where the body is the same',
    'answer_not_justified',
    tampered(13, replied({ kind: 'conflict', operationId: 'o2' })),
  ],
  [
    'an operation that was started twice',
    'executed_twice',
    tampered(9, (call) => [{ ...call, call: open('o1', 10n) }]),
  ],
  [
    'a second operation under one identity',
    'executed_twice',
    tampered(9, (call) => [{ ...call, call: { ...open('o2', 10n), identity: 'i o1' } as LedgerCall }]),
  ],
  [
    'a change that comes before one that was over',
    'order_against_time',
    tampered(4, (call) => [{ ...call, startedAt: 30, endedAt: 31 }]),
  ],
  [
    'an answer from the past',
    'order_against_time',
    tampered(2, (call) => [{ ...call, reply: { kind: 'insufficient', walletSeq: 0, availableMicros: 0n } }]),
  ],
  ['an answer from the future', 'order_against_time', tampered(6, (call) => [{ ...call, startedAt: 3, endedAt: 4 }])],
])('tells of %s', (_, rule, calls) => {
  expect(rulesOf(calls)).toContain(rule);
});

test('tells of sums on record that the history does not come to', () => {
  const last = new Map([['a', { balanceMicros: 31n, reservedMicros: 0n, seq: 8 }]]);
  expect(checkHistory(trueHistory, last).violations.map(({ rule }) => rule)).toEqual(['sums_differ']);
});

test('tells of changes after the last recorded one', () => {
  const last = new Map([['a', { balanceMicros: 30n, reservedMicros: 0n, seq: 9 }]]);
  expect(checkHistory(trueHistory, last).violations.map(({ rule }) => rule)).toEqual(['change_unexplained']);
});

test('keeps wallets apart', () => {
  const both = [...trueHistory, ...trueHistory.map((call) => ({ ...call, accountId: 'b' }))];
  expect(checkHistory(both)).toMatchObject({ calls: 30, changes: 16, violations: [] });
});

test('takes what the host waives for paid as far as it could be', () => {
  const call: LedgerCall = { kind: 'settle', operationId: 'o1', measuredMicros: 900n, absorbs: true };
  const history = [
    recorded(deposit('d1', 100n), { kind: 'done', walletSeq: 1, balanceMicros: 100n }, [0, 1]),
    recorded(open('o1', 60n), { kind: 'started', walletSeq: 2 }, [2, 3]),
    recorded(call, { kind: 'settled', walletSeq: 3 }, [4, 5]),
  ];
  const last = new Map([['a', { balanceMicros: 0n, reservedMicros: 0n, seq: 3 }]]);
  expect(checkHistory(history, last).violations).toEqual([]);
});
