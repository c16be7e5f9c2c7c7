import type { RuleId } from '../rules/rules.ts';
import type { Failure } from './findings.ts';

/** What a run says of one rule. */
export type RuleResult = {
  readonly id: RuleId;
  /** The rule as one sentence. */
  readonly sentence: string;
} & (
  | { readonly kind: 'passed' }
  | { readonly kind: 'failed'; readonly failures: readonly Failure[] }
  | { readonly kind: 'not_covered'; readonly reason: string }
);

export interface CaseResult {
  readonly title: string;
  readonly rules: readonly RuleId[];
  readonly kind: 'passed' | 'failed' | 'skipped';
  /** Why it was skipped or stopped; null otherwise. */
  readonly reason: string | null;
  /** How many operations of it were charged. */
  readonly charged: number;
  readonly ms: number;
}

export interface ConformanceReport {
  readonly base: string;
  readonly rules: readonly RuleResult[];
  readonly cases: readonly CaseResult[];
  /** What the gateway said that it charged, and for how many operations. */
  readonly credits: number;
  readonly chargedOperations: number;
  readonly ms: number;
}
