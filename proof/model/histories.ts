// Runs random histories of the ledger's decisions against the reference model, as many as asked for.
// node --conditions=@tollgate/source proof/model/histories.ts [count] [--theme money|work|payments|caps|prices|events] [--seed n] | --history seed
import { parseArgs } from 'node:util';
import { shippingDecisions } from './decisions.ts';
import { capTheme } from './cap-theme.ts';
import { eventTheme } from './event-theme.ts';
import { findViolation, printFinding, tryHistory, type Finding } from './find-violation.ts';
import { moneyTheme } from './money-theme.ts';
import { priceTheme } from './price-theme.ts';
import { seededRandom } from './random.ts';
import { randomHistory } from './random-history.ts';
import { paymentTheme } from './payment-theme.ts';
import { workTheme } from './work-theme.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string' }, history: { type: 'string' }, theme: { type: 'string' } },
});

const themes = new Map([
  ['money', moneyTheme],
  ['work', workTheme],
  ['payments', paymentTheme],
  ['caps', capTheme],
  ['prices', priceTheme],
  ['events', eventTheme],
]);
const theme = themes.get(values.theme ?? 'money');
if (theme === undefined) throw new Error(`themes are ${[...themes.keys()].join(', ')}`);

const replay = (seed: number): Finding | null => {
  const history = randomHistory(seededRandom(seed), '', theme);
  const violation = tryHistory(shippingDecisions, history, seed);
  return violation === null ? null : { violation, history, seed, histories: 1 };
};

const count = Number(positionals[0] ?? '200000');
const seed = values.seed === undefined ? Date.now() >>> 0 : Number(values.seed);
const started = performance.now();
const finding =
  values.history === undefined ? findViolation(shippingDecisions, seed, count, theme) : replay(Number(values.history));
const seconds = (performance.now() - started) / 1_000;
const done = finding?.histories ?? (values.history === undefined ? count : 1);

console.log(
  `${done} histories, seed ${seed}, ${seconds.toFixed(1)} s, ${Math.round(done / seconds)} histories/s, ` +
    `${finding === null ? 0 : 1} violations`,
);
if (finding !== null) {
  console.log(printFinding(finding));
  process.exitCode = 1;
}
