import type { ConformanceCase } from './conformance-case.ts';
import { createCreditCount } from './count-credits.ts';
import { createKit, type KitWorld } from './create-kit.ts';
import { CaseDisturbed, CaseStopped, findingsOfCase } from './findings.ts';
import type { CaseResult } from './report.ts';

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error ? `${error.message}: ${cause.message}` : error.message;
};

/** Runs one case, at most for its time. What ends it beside a check is held against the first of its rules. */
export const runCase = async (one: ConformanceCase, world: KitWorld, caseMs: number): Promise<CaseResult> => {
  const { findings, keep } = findingsOfCase(world.findings);
  const credits = createCreditCount(world.survey.brand);
  const watch: KitWorld['watch'] = (answer) => {
    credits.see(answer);
    world.watch(answer);
  };
  const startMs = performance.now();
  const controller = new AbortController();
  const timeout = Promise.withResolvers<never>();
  const timer = setTimeout(() => timeout.reject(new Error(`the case did not end within ${caseMs} ms`)), caseMs);
  let reason: string | null = null;
  let isDisturbed = false;
  try {
    await Promise.race([one.run(createKit(one, { ...world, findings, watch }, controller.signal)), timeout.promise]);
  } catch (error) {
    reason = reasonOf(error);
    isDisturbed = error instanceof CaseDisturbed;
    const [rule] = one.rules;
    if (!(error instanceof CaseStopped) && !isDisturbed && rule !== undefined)
      findings.fail({ rule, case: one.title, what: `the case ended early: ${reason}`, exchange: null });
  } finally {
    clearTimeout(timer);
    controller.abort();
  }
  if (reason === null) keep();
  const hasFailed = findings.failures.some((failure) => failure.case === one.title);
  const kind = hasFailed || (reason !== null && !isDisturbed) ? 'failed' : isDisturbed ? 'skipped' : 'passed';
  return {
    title: one.title,
    rules: one.rules,
    kind,
    reason,
    charged: credits.operations(),
    ms: performance.now() - startMs,
  };
};
