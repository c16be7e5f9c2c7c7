import type { RuleId } from '../rules/rules.ts';
import type { Kit } from './kit.ts';
import type { Need } from './need.ts';

/** One thing that every gateway does, as a client sees it. */
export interface ConformanceCase {
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly needs: readonly Need[];
  /** No other case may run meanwhile. */
  readonly alone: boolean;
  /** About how many calls it has charged. */
  readonly charges: number;
  readonly run: (kit: Kit) => Promise<void>;
}

interface CaseTerms {
  readonly rules: readonly RuleId[];
  readonly needs?: readonly Need[];
  readonly alone?: boolean;
  readonly charges?: number;
}

export const conformanceCase = (title: string, terms: CaseTerms, run: ConformanceCase['run']): ConformanceCase => ({
  title,
  rules: terms.rules,
  needs: terms.needs ?? ['chat'],
  alone: terms.alone ?? false,
  charges: terms.charges ?? 0,
  run,
});
