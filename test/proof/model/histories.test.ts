import { expect, test } from 'vitest';
import { shippingDecisions } from './decisions.ts';
import { findViolation, printFinding } from './find-violation.ts';
import { runScale } from './run-scale.ts';
import { historySeed, seededRandom } from './random.ts';
import { randomHistory } from './random-history.ts';
import { runHistory } from './run-history.ts';

const histories = 200_000 * runScale;
/** Another seed every day of the year; a failure prints the seed of its history. */
const runSeed = Math.floor(Date.now() / 86_400_000);

test(
  `keeps every promise in ${histories} random histories [ledger:concurrency:no-overdraft] [ledger:concurrency:single-settlement] [idempotency:concurrency:one-execution]`,
  { timeout: 120_000 * runScale },
  () => {
    const started = performance.now();
    const finding = findViolation(shippingDecisions, runSeed, histories);
    const seconds = (performance.now() - started) / 1_000;
    console.log(`${histories} histories, run seed ${runSeed}, ${Math.round(histories / seconds)} histories/s`);
    expect(finding === null ? null : printFinding(finding)).toBeNull();
  },
);

/** What happens in histories: a generator that never got there would prove nothing. */
const outcomes = Object.entries({
  open: ['started', 'known', 'conflict', 'insufficient', 'refused'],
  extend: ['extended', 'insufficient', 'ended'],
  capture: ['captured', 'insufficient', 'ended'],
  settle: ['settled', 'pending', 'ended completed', 'ended failed', 'missing'],
  fail: ['failed', 'captured', 'ended completed', 'ended failed', 'missing'],
  doubt: ['uncertain', 'alive', 'ended completed', 'ended failed', 'missing'],
  resolve: ['settled', 'failed', 'pending', 'captured', 'amount_needed', 'not_uncertain'],
  deposit: ['done', 'repeated', 'conflict', 'too_large'],
  compensate: ['done', 'insufficient'],
  purge: ['kept', 'answer_purged', 'record_removed'],
}).flatMap(([kind, words]) => words.map((word) => `${kind} ${word}`));

test('histories come to every answer that a command can have', () => {
  const counts = new Map<string, number>();
  for (let index = 0; index < 10_000; index += 1) {
    const history = randomHistory(seededRandom(historySeed(1, index)));
    const verdict = runHistory(shippingDecisions, history);
    const texts = verdict.kind === 'held' ? verdict.outcome.texts : [];
    for (const [at, text] of texts.entries()) {
      const [word = '', state = ''] = text.split(' ');
      const name = `${history.commands[at]?.body.kind} ${word === 'ended' && state !== '' ? text : word}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  expect(outcomes.filter((outcome) => (counts.get(outcome) ?? 0) < 3)).toEqual([]);
});

test('the same seed gives the same history', () => {
  const [one, two] = [randomHistory(seededRandom(7)), randomHistory(seededRandom(7))];
  expect(one).toEqual(two);
  expect(randomHistory(seededRandom(8))).not.toEqual(one);
});
