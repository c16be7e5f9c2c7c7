import { isDeepStrictEqual } from 'node:util';
import type { RuleId } from '../rules/rules.ts';
import type { Exchange } from '../wire/exchange.ts';

/** A rule that was broken, and where. */
export interface Failure {
  readonly rule: RuleId;
  /** The title of the case, or null where it was seen beside the cases. */
  readonly case: string | null;
  readonly what: string;
  readonly exchange: Exchange | null;
}

/** What the cases saw, rule by rule. */
export interface Findings {
  readonly checked: (rule: RuleId) => boolean;
  readonly failures: readonly Failure[];
  /** Notes that a rule was checked. */
  readonly look: (rule: RuleId) => unknown;
  readonly fail: (failure: Failure) => void;
}

/** The findings of one case: what it checked counts only once it has ended as it should. */
export const findingsOfCase = (whole: Findings): { readonly findings: Findings; readonly keep: () => void } => {
  const looked = new Set<RuleId>();
  const findings: Findings = { ...whole, look: (rule) => looked.add(rule) };
  return {
    findings,
    keep: () => {
      for (const rule of looked) whole.look(rule);
    },
  };
};

/** More of the same say nothing new. */
const failuresOfRuleMax = 3;

export const createFindings = (): Findings => {
  const checked = new Set<RuleId>();
  const failures: Failure[] = [];
  return {
    checked: (rule) => checked.has(rule),
    failures,
    look: (rule) => {
      checked.add(rule);
    },
    fail: (failure) => {
      checked.add(failure.rule);
      if (failures.filter(({ rule }) => rule === failure.rule).length < failuresOfRuleMax) failures.push(failure);
    },
  };
};

/** Ends a case at once: what follows makes no sense without what failed. */
export class CaseStopped extends Error {
  override readonly name = 'CaseStopped';
}

/** Ends a case whose request the gateway did not take for the moment: that says nothing of a rule. */
export class CaseDisturbed extends Error {
  override readonly name = 'CaseDisturbed';
}

const shownCharactersMax = 300;

export const shown = (value: unknown): string => {
  const text = value === undefined ? 'nothing' : JSON.stringify(value);
  return text.length <= shownCharactersMax ? text : `${text.slice(0, shownCharactersMax)}…`;
};

export const isSame = isDeepStrictEqual;
