import { expect, test } from 'vitest';
import type { Verdict } from '../decisions/verdict.ts';
import { checkVerdict } from './check-verdict.ts';

const usage = [{ unit: 'images', quantity: 1 }];

test.each([
  ['nothing', null, 'a verdict is an object'],
  ['an empty object', {}, 'executed is undefined'],
  ['a number for executed', { executed: 1 }, 'executed is number'],
  ['a text for executed', { executed: 'false' }, 'executed is string'],
  ['an amount of what did not run', { executed: false, amountMicros: 1n }, 'amountMicros exclude each other'],
  ['an amount as a number', { executed: true, amountMicros: 5 }, 'amountMicros is number'],
  [
    'three sayings',
    { executed: true, usage, parts: [], amountMicros: 9n },
    'amountMicros and usage and parts exclude each other',
  ],
  ['an unknown word for usage', { executed: true, usage: 'all' }, 'usage is empty'],
  ['a part without executed', { executed: true, parts: [{ part: '1' }] }, 'parts[0].executed is undefined'],
  [
    'a part that ran without usage',
    { executed: true, parts: [{ part: '1', executed: true }] },
    'parts[0].usage is missing',
  ],
  [
    'usage of a part that did not run',
    { executed: true, parts: [{ part: '1', executed: false, usage }] },
    'parts[0].usage exclude each other',
  ],
])('refuses %s, which is no verdict', (_what, verdict, message) => {
  // What JavaScript may pass.
  expect(() => checkVerdict(verdict as unknown as Verdict)).toThrow(message);
});

test('accepts every form of a verdict', () => {
  const parts = [
    { part: '1', executed: true, usage },
    { part: '2', executed: false },
  ] as const;
  const verdicts: readonly Verdict[] = [
    { executed: false },
    { executed: true },
    { executed: true, amountMicros: 0n },
    { executed: true, usage },
    { executed: true, usage: 'at_least' },
    { executed: true, parts },
  ];
  for (const verdict of verdicts) expect(() => checkVerdict(verdict)).not.toThrow();
});
