import type { Failure } from '../kit/findings.ts';
import type { ConformanceReport, RuleResult } from '../kit/report.ts';
import type { ConformancePlan } from '../kit/run-conformance.ts';
import { ruleIds } from '../rules/rules.ts';

type Print = (text: string) => void;

const indent = (text: string, by: string): string =>
  text
    .split('\n')
    .map((line) => `${by}${line}`)
    .join('\n');

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Says what will be done, and what it will cost, before it is done. */
export const printPlan = ({ survey, running, skipped }: ConformancePlan, print: Print): void => {
  const calls = running.reduce((sum, { charges }) => sum + charges, 0);
  const price = survey.probeCredits;
  print(`Gateway       ${survey.base}`);
  print(`Keys          ${[...survey.actors].map(([role, { model }]) => `${role}: ${model}`).join(', ')}`);
  print(
    `Upstream      ${survey.directives ? 'obeys directives' : 'does what it likes: cases that need a certain response are left out'}`,
  );
  if (!survey.strict && survey.actors.has('chat'))
    print('Compatibility on: cases that need the strict contract are left out');
  print(`Cases         ${running.length} run, ${skipped.length} are left out for what they need`);
  print(
    `Spends        about ${counted(calls, 'charged call')}, most of them a few words${price === null ? '' : `; one short chat was charged ${price} credits`}. Calls that end uncertain keep what they hold until an operator decides.`,
  );
  print('');
};

const printFailure = ({ case: title, what, exchange }: Failure, print: Print): void => {
  print(`    ${title === null ? 'seen in a response' : `case: ${title}`}`);
  print(indent(what, '    '));
  if (exchange === null) return;
  print(indent(exchange.request, '      > '));
  print(indent(exchange.response, '      < '));
};

const isFailed = (one: RuleResult): one is RuleResult & { readonly kind: 'failed' } => one.kind === 'failed';

/** What was not covered, by its reason. */
const byReason = (rules: readonly RuleResult[]): ReadonlyMap<string, readonly string[]> => {
  const reasons = new Map<string, string[]>();
  for (const one of rules)
    if (one.kind === 'not_covered') reasons.set(one.reason, [...(reasons.get(one.reason) ?? []), one.id]);
  return reasons;
};

/** The cases of a rule that passed without them, each with what it needs. */
const printPartly = ({ rules, cases }: ConformanceReport, print: Print): void => {
  const passed = new Set<string>(rules.filter(({ kind }) => kind === 'passed').map(({ id }) => id));
  const left = cases.filter(({ kind, rules: of }) => kind === 'skipped' && of.some((id) => passed.has(id)));
  if (left.length === 0) return;
  print('Passed in part, without these cases:');
  for (const { title, reason, rules: of } of left)
    print(`  ${title}: ${reason ?? 'left out'}\n${indent(of.filter((id) => passed.has(id)).join(' '), '      ')}`);
};

export const printReport = (report: ConformanceReport, print: Print): void => {
  const { rules } = report;
  for (const rule of rules.filter(isFailed)) {
    print(`FAILED  ${rule.id}`);
    print(`    ${rule.sentence}`);
    for (const failure of rule.failures) printFailure(failure, print);
    print('');
  }
  printPartly(report, print);
  const reasons = byReason(rules);
  if (reasons.size > 0) print('Not covered:');
  for (const [reason, ids] of reasons) print(`  ${reason} (${ids.length})\n${indent(ids.join(' '), '      ')}`);
  print('');
  const count = (kind: RuleResult['kind']): number => rules.filter((one) => one.kind === kind).length;
  print(
    `${counted(rules.length, 'rule')}: ${count('passed')} passed, ${count('failed')} failed, ${count('not_covered')} not covered`,
  );
  print(
    `${counted(report.chargedOperations, 'operation')} charged, ${Number(report.credits.toFixed(6))} credits in all, ${(report.ms / 1_000).toFixed(1)} s`,
  );
  print(`Coverage: ${count('passed') + count('failed')} of the ${ruleIds.length} rules of the contract seen`);
};

const credentialFree = (cases: ConformanceReport['cases']) =>
  cases.map(({ title, kind, reason, rules, ms }) => ({ title, kind, reason, rules, ms: Math.round(ms) }));

/** The report as a file has it. */
export const reportJson = (report: ConformanceReport): string =>
  `${JSON.stringify({ ...report, ms: Math.round(report.ms), cases: credentialFree(report.cases) }, null, 2)}\n`;
