import { expect, test } from 'vitest';
import { capTheme } from './cap-theme.ts';
import type { CommandBody } from './command.ts';
import { shippingDecisions } from './decisions.ts';
import { eventTheme } from './event-theme.ts';
import { findViolation, printFinding } from './find-violation.ts';
import { moneyTheme } from './money-theme.ts';
import { paymentTheme } from './payment-theme.ts';
import { priceTheme } from './price-theme.ts';
import { runScale } from './run-scale.ts';
import { historySeed, seededRandom } from './random.ts';
import { randomHistory } from './random-history.ts';
import { runHistory } from './run-history.ts';
import { workTheme } from './work-theme.ts';

const histories = Math.round(200_000 * runScale);
/** Another seed every day of the year; a failure prints the seed of its history. */
const runSeed = Math.floor(Date.now() / 86_400_000);

test(`keeps every promise in ${histories} random histories [ledger:concurrency:no-overdraft] [ledger:concurrency:single-settlement] [idempotency:concurrency:one-execution]`, () => {
  const started = performance.now();
  const finding = findViolation(shippingDecisions, runSeed, histories);
  const seconds = (performance.now() - started) / 1_000;
  console.log(`${histories} histories, run seed ${runSeed}, ${Math.round(histories / seconds)} histories/s`);
  expect(finding === null ? null : printFinding(finding)).toBeNull();
});

const themed = [
  { name: 'work that is done later', theme: workTheme, histories: Math.round(16_000 * runScale) },
  { name: 'webhooks and schedules', theme: eventTheme, histories: Math.round(8_000 * runScale) },
  { name: 'keys with caps', theme: capTheme, histories: Math.round(50_000 * runScale) },
  { name: 'prices in layers', theme: priceTheme, histories: Math.round(50_000 * runScale) },
  { name: 'payments and refunds', theme: paymentTheme, histories: Math.round(50_000 * runScale) },
];

test.each(themed)('keeps every promise in $histories random histories of $name', ({ theme, histories: count }) => {
  const finding = findViolation(shippingDecisions, runSeed, count, theme);
  expect(finding === null ? null : printFinding(finding)).toBeNull();
});

/** What happens in histories: a generator that never got there would prove nothing. */
const outcomes = Object.entries({
  open: ['started', 'known', 'conflict', 'insufficient', 'refused'],
  extend: ['extended', 'insufficient', 'ended'],
  capture: ['captured', 'insufficient', 'ended'],
  settle: ['settled', 'pending', 'ended completed', 'ended failed', 'missing'],
  fail: ['failed', 'captured', 'ended completed', 'ended failed', 'missing'],
  doubt: ['uncertain', 'alive', 'ended completed', 'ended failed', 'missing'],
  resolve: [
    'settled',
    'failed',
    'pending',
    'captured',
    'amount_needed',
    'usage_needed',
    'not_uncertain',
    'repeated',
    'decided_otherwise',
  ],
  deposit: ['done', 'repeated', 'conflict', 'too_large'],
  compensate: ['done', 'insufficient'],
  purge: ['kept', 'answer_purged', 'record_removed'],
}).flatMap(([kind, words]) => words.map((word) => `${kind} ${word}`));

const paymentOutcomes = Object.entries({
  pay: ['done', 'repeated', 'conflict', 'too_large'],
  collect: ['collected', 'none'],
  compensate: ['done', 'insufficient', 'repeated', 'conflict'],
}).flatMap(([kind, words]) => words.map((word) => `${kind} ${word}`));

const capOutcomes = Object.entries({
  open: ['started', 'known', 'insufficient', 'refused'],
  extend: ['extended', 'insufficient', 'ended'],
  capture: ['captured', 'insufficient', 'ended'],
  settle: ['settled', 'pending', 'ended completed', 'ended failed'],
  fail: ['failed', 'captured'],
  doubt: ['uncertain'],
  resolve: ['settled', 'failed'],
  purge: ['answer_purged', 'record_removed'],
}).flatMap(([kind, words]) => words.map((word) => `${kind} ${word}`));

const workOutcomes = Object.entries({
  'claim operation': ['claimed', 'not_due'],
  'claim resource': ['claimed', 'not_due'],
  'claim pendingBlob': ['claimed', 'not_due'],
  start: ['begun', 'lost'],
  keep: ['kept', 'lost'],
  put_back: ['put_back', 'lost'],
  cancel: ['dropped', 'cancelling', 'unchanged', 'missing'],
  look: ['looked', 'missing'],
  delete: ['deleted', 'busy', 'stale', 'in_use', 'missing'],
  expire: ['expired', 'missing', 'not_due'],
  clear: ['cleared', 'lost', 'not_due'],
  fade: ['faded', 'lost', 'not_due'],
  changeTtl: ['ttl_changed', 'insufficient', 'missing'],
  end_early: ['ending', 'busy', 'stale'],
  items: ['going', 'off'],
  take_access: ['taken', 'refused'],
  settle: ['settled', 'pending', 'not_started'],
  fail: ['failed', 'lost'],
  doubt: ['uncertain', 'alive'],
  resolve: ['settled', 'failed', 'pending'],
  purge: ['kept', 'answer_purged', 'record_removed'],
}).flatMap(([kind, words]) => words.map((word) => `${kind} ${word}`));

const eventOutcomes = Object.entries({
  create_webhook: ['created'],
  change_webhook: ['changed', 'none'],
  'claim outbox': ['claimed', 'not_due'],
  'claim delivery': ['claimed', 'not_due'],
  'claim trigger': ['claimed', 'not_due'],
  'claim occurrence': ['claimed', 'not_due'],
  fan_out: ['fanned', 'not_due'],
  conclude_delivery: ['told pending', 'told delivered', 'told failed', 'told skipped', 'lost'],
  redeliver: ['redelivered'],
  purge_delivery: ['gone', 'lost'],
  create_trigger: ['created'],
  change_trigger: ['changed', 'none'],
  occur: ['occurred', 'skipped', 'missed', 'lost'],
  conclude_occurrence: ['noted pending', 'noted processing', 'noted completed', 'noted failed', 'lost'],
  purge_occurrence: ['gone', 'lost'],
}).flatMap(([kind, words]) => words.map((word) => `${kind} ${word}`));

const kindOf = (body: CommandBody | undefined): string =>
  body?.kind === 'claim' ? `claim ${body.of}` : (body?.kind ?? '');

const nameOutcome = (body: CommandBody | undefined, text: string): string => {
  const [word = '', state = ''] = text.split(' ');
  const isTold = word === 'told' || word === 'noted' || (word === 'ended' && state !== '');
  return `${kindOf(body)} ${isTold ? `${word} ${state}` : word}`;
};

test.each([
  { name: 'credits', theme: moneyTheme, wanted: outcomes, count: 10_000 },
  { name: 'work', theme: workTheme, wanted: workOutcomes, count: 5_000 },
  { name: 'payments', theme: paymentTheme, wanted: paymentOutcomes, count: 20_000 },
  { name: 'caps', theme: capTheme, wanted: capOutcomes, count: 5_000 },
  { name: 'events', theme: eventTheme, wanted: eventOutcomes, count: 3_000 },
])('histories of $name come to every answer that a command can have', ({ theme, wanted, count }) => {
  const counts = new Map<string, number>();
  for (let index = 0; index < count; index += 1) {
    const history = randomHistory(seededRandom(historySeed(1, index)), '', theme);
    const verdict = runHistory(shippingDecisions, history);
    const texts = verdict.kind === 'held' ? verdict.outcome.texts : [];
    for (const [at, text] of texts.entries()) {
      const name = nameOutcome(history.commands[at]?.body, text);
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  }
  expect(wanted.filter((outcome) => (counts.get(outcome) ?? 0) < 3)).toEqual([]);
});

test('the same seed gives the same history', () => {
  const [one, two] = [randomHistory(seededRandom(7)), randomHistory(seededRandom(7))];
  expect(one).toEqual(two);
  expect(randomHistory(seededRandom(8))).not.toEqual(one);
});
