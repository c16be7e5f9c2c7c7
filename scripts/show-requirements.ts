// Finds for each rule of the contract a mutant that the rule's own tests notice and most other tests do not, and writes them into
// `test/requirements/shown.json`: `npm run mutate:requirements`.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { tryPairs } from './mutate/kill.ts';
import { openMutationRun } from './mutate/mutation-run.ts';
import {
  breadthOf,
  candidatesOf,
  isOfRule,
  noticedBy,
  othersOf,
  ownPairs,
  roundsMax,
  rulesOf,
} from './mutate/show-requirements.ts';
import { keyOf } from './mutate/source-mutant.ts';
import { ruleTargets } from './mutate/targets.ts';
import { findRuleTests } from './mutate/test-files.ts';

const root = path.resolve(import.meta.dirname, '..');
const file = path.join(root, 'test/requirements/shown.json');

const say = (line: string): void => console.error(line);
const run = await openMutationRun(root, ruleTargets, findRuleTests(root));
const { tests, loaded } = run.coverage;
const rules = rulesOf(tests);
/** What runs as modules load cannot be switched on for one test. */
const breadth = new Map([...breadthOf(tests)].filter(([id]) => !loaded.has(id)));
const trial = { root, base: { ...run.base, once: false }, tests, say };
const shown = new Map<string, number>();

const write = (): void => {
  const rows = [...shown]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, mutant]) => {
      const found = run.mutants.all[mutant];
      return [id, found === undefined ? '' : keyOf(found.mutant)] as const;
    });
  writeFileSync(file, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
};

for (let round = 1; round <= roundsMax; round += 1) {
  const open = rules.filter(({ id }) => !shown.has(id));
  const wanted = new Map(open.map((rule) => [rule.id, candidatesOf(rule, breadth, round)] as const));
  const noticed = noticedBy(open, wanted, await tryPairs(trial, ownPairs(wanted, open)));
  const asked = noticed.map((one) => [one, othersOf(one, tests)] as const);
  const pairs = new Map<number, string[]>();
  for (const [{ mutant }, others] of asked)
    pairs.set(mutant, [...new Set([...(pairs.get(mutant) ?? []), ...others.map(({ id }) => id)])]);
  const answers = await tryPairs(trial, pairs);
  for (const [one, others] of asked)
    if (!shown.has(one.rule.id) && isOfRule(one, others, answers)) shown.set(one.rule.id, one.mutant);
  say(`${shown.size} of ${rules.length} rules are shown after ${round} rounds`);
  write();
}
for (const { id, tests: own } of rules) if (!shown.has(id)) console.log(`${id}: ${own.length} tests`);
