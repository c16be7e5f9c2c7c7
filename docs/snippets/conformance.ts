import { runConformance, type RuleId } from '@tollgate/conformance';

// #region conformance
/** The rules that a gateway breaks, each with what was found. */
export const findBrokenRules = async (base: string, key: string): Promise<ReadonlyMap<RuleId, string>> => {
  const report = await runConformance(
    { base, keys: [key], only: ['models:list', 'chat:messages'], creditsMax: 1 },
    { onPlan: ({ running }) => console.log(`${running.length} cases run`) },
  );
  const broken = new Map<RuleId, string>();
  for (const rule of report.rules)
    if (rule.kind === 'failed') broken.set(rule.id, rule.failures.map(({ what }) => what).join('; '));
  return broken;
};
// #endregion conformance
