import { conformanceCases } from '../cases/conformance-cases.ts';
import { ruleIds, rules, type RuleId } from '../rules/rules.ts';
import { unseenReason } from '../rules/unseen-rules.ts';
import { createSender } from '../wire/create-sender.ts';
import { createCreditCount } from './count-credits.ts';
import type { ConformanceCase } from './conformance-case.ts';
import type { KitWorld } from './create-kit.ts';
import { createFindings, type Findings } from './findings.ts';
import { secretsOf, type ConformanceOptions } from './kit-options.ts';
import type { CaseResult, ConformanceReport, RuleResult } from './report.ts';
import { runCase } from './run-case.ts';
import type { Survey } from './survey.ts';
import { surveyGateway } from './survey-gateway.ts';
import { unmetNeed } from './unmet-need.ts';
import { assertRules } from './wanted-rules.ts';
import { watchAnswer } from './watch-answers.ts';

/** What a run will do, told before it does it. */
export interface ConformancePlan {
  readonly survey: Survey;
  readonly running: readonly ConformanceCase[];
  readonly skipped: readonly (readonly [ConformanceCase, string])[];
}

export interface RunListener {
  readonly onPlan?: (plan: ConformancePlan) => void;
  readonly onCase?: (result: CaseResult) => void;
}

const caseMsUsual = 60_000;
/** How much longer a case may take that waits for a minute or more. */
const slowMs = 120_000;
const concurrencyUsual = 4;

const isOfCases = (rule: RuleId): boolean => conformanceCases.some(({ rules: of }) => of.includes(rule));

const isWanted = (id: string, only: readonly string[]): boolean =>
  only.length === 0 || only.some((prefix) => id.startsWith(prefix));

const hasCases = (prefix: string): boolean => ruleIds.some((id) => id.startsWith(prefix) && isOfCases(id));

/** The cases of which at least one rule is wanted; all of them for a rule that only responses show, whatever the case. */
export const selectCases = (only: readonly string[]): readonly ConformanceCase[] => {
  assertRules(only);
  return only.every(hasCases)
    ? conformanceCases.filter((one) => one.rules.some((id) => isWanted(id, only)))
    : conformanceCases;
};

const planRun = (survey: Survey, options: ConformanceOptions): ConformancePlan => {
  const running: ConformanceCase[] = [];
  const skipped: (readonly [ConformanceCase, string])[] = [];
  for (const one of selectCases(options.only ?? [])) {
    const unmet = unmetNeed(one.needs, survey, options);
    if (unmet === null) running.push(one);
    else skipped.push([one, unmet]);
  }
  return { survey, running, skipped };
};

/** Runs so many at once, in their order. */
const runAll = async <T>(items: readonly T[], concurrency: number, run: (item: T) => Promise<void>): Promise<void> => {
  const queue = [...items];
  const worker = async (): Promise<void> => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await run(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
};

const notCovered = (id: RuleId, results: readonly CaseResult[]): string => {
  const ofRule = results.filter(({ rules: of }) => of.includes(id));
  const stopped = ofRule.find(({ kind }) => kind === 'failed');
  if (stopped !== undefined) return `the case "${stopped.title}" failed before it got there`;
  return ofRule.find(({ reason }) => reason !== null)?.reason ?? unseenReason(id) ?? 'no response of the run showed it';
};

const resultOf = (id: RuleId, findings: Findings, results: readonly CaseResult[]): RuleResult => {
  const sentence = rules[id];
  const failures = findings.failures.filter(({ rule }) => rule === id);
  if (failures.length > 0) return { id, sentence, kind: 'failed', failures };
  if (findings.checked(id)) return { id, sentence, kind: 'passed' };
  return { id, sentence, kind: 'not_covered', reason: notCovered(id, results) };
};

const skip = ({ title, rules: of }: ConformanceCase, reason: string): CaseResult => ({
  title,
  rules: of,
  kind: 'skipped',
  reason,
  charged: 0,
  ms: 0,
});

/** What the cases share: how they send, what they found, and what was charged. */
const openWorld = (survey: Survey, options: ConformanceOptions) => {
  const keys = secretsOf(options);
  const findings = createFindings();
  const credits = createCreditCount(survey.brand);
  const sender = createSender({ base: survey.base, keys, fetch: options.fetch ?? fetch });
  const watch: KitWorld['watch'] = (answer) => {
    credits.see(answer);
    watchAnswer(answer, { keys }, findings);
  };
  const world: KitWorld = { survey, findings, options, sender, watch };
  return { world, credits };
};

const limitMsOf = ({ needs }: ConformanceCase, caseMs: number): number =>
  needs.includes('slow') ? caseMs + slowMs : caseMs;

const isAlone = ({ alone }: ConformanceCase): boolean => alone;

/** Runs the cases of a plan, those that must be alone at the end. */
const runPlan = async (
  { running, skipped }: ConformancePlan,
  { caseMs = caseMsUsual, concurrency = concurrencyUsual, creditsMax = Infinity }: ConformanceOptions,
  { world, credits }: ReturnType<typeof openWorld>,
  onCase: RunListener['onCase'],
): Promise<readonly CaseResult[]> => {
  const results: CaseResult[] = skipped.map(([one, reason]) => skip(one, reason));
  const run = async (one: ConformanceCase): Promise<void> => {
    const isSpent = credits.total() >= creditsMax;
    const result = isSpent ? skip(one, '--credits-max was reached') : await runCase(one, world, limitMsOf(one, caseMs));
    results.push(result);
    onCase?.(result);
  };
  await runAll(
    running.filter((one) => !isAlone(one)),
    concurrency,
    run,
  );
  await runAll(running.filter(isAlone), 1, run);
  return results;
};

/** Tries a gateway and says of every rule what was seen. Rejects with `CannotRun` where nothing can be tried. */
export const runConformance = async (
  options: ConformanceOptions,
  { onPlan, onCase }: RunListener = {},
): Promise<ConformanceReport> => {
  const startMs = performance.now();
  assertRules(options.only ?? []);
  const survey = await surveyGateway(options);
  const plan = planRun(survey, options);
  onPlan?.(plan);
  const opened = openWorld(survey, options);
  const cases = await runPlan(plan, options, opened, onCase);
  const { findings } = opened.world;
  const { only = [] } = options;
  const told = ruleIds.filter((id) => isWanted(id, only) || findings.failures.some(({ rule }) => rule === id));
  return {
    base: survey.base,
    rules: told.map((id) => resultOf(id, findings, cases)),
    cases,
    credits: opened.credits.total(),
    chargedOperations: opened.credits.operations(),
    ms: performance.now() - startMs,
  };
};
