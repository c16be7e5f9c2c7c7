import type { RuleId } from '../rules/rules.ts';
import type { Answer, Exchange } from '../wire/exchange.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { CaseStopped, isSame, shown, type Findings } from './findings.ts';
import type { Kit } from './kit.ts';

/** Two things that are both missing say nothing. */
const isThere = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).every(isThere)
    : value !== undefined && !Number.isNaN(value);

/** The checks of one case, and the response that a failure shows. */
export const createChecks = ({ title, rules }: ConformanceCase, findings: Findings) => {
  let current: Exchange | null = null;
  const compare = (rule: RuleId, found: unknown, wanted: unknown, what: string): boolean =>
    holds(rule, isThere(wanted) && isSame(found, wanted), `${what}expected ${shown(wanted)}, found ${shown(found)}`);
  const holds = (rule: RuleId, ok: boolean, what: string): boolean => {
    if (!rules.includes(rule)) throw new Error(`the case does not declare the rule ${rule}`);
    findings.look(rule);
    if (!ok) findings.fail({ rule, case: title, what, exchange: current });
    return ok;
  };
  const about = ({ exchange }: Answer): void => {
    current = exchange;
  };
  const checks: Pick<Kit, 'about' | 'holds' | 'same' | 'absent' | 'fields' | 'refused' | 'taken' | 'need'> = {
    about,
    holds,
    same: (rule, found, wanted, what) => compare(rule, found, wanted, `${what}: `),
    absent: (rule, found, what) => holds(rule, found === undefined, `${what}: expected nothing, found ${shown(found)}`),
    fields: (rule, object, wanted) => {
      const names = Object.keys(wanted);
      const found = Object.fromEntries(names.map((name) => [name, object.at(name).value]));
      return compare(rule, found, wanted, '');
    },
    refused: (rule, answer, status, code) => {
      about(answer);
      const told = answer.json.at('error', 'code').text();
      const isRefused = answer.status === status && (code === undefined || code === told);
      return holds(rule, isRefused, `expected ${status} ${code ?? ''}, found ${answer.status} ${told}`);
    },
    taken: (rule, answer, status = 200) => {
      about(answer);
      if (!holds(rule, answer.status === status, `expected ${status}, found ${answer.status}`))
        throw new CaseStopped(`${answer.method} ${answer.path} returned ${answer.status}`);
      return answer.json;
    },
    need: (rule, ok, what) => {
      if (!holds(rule, ok, what)) throw new CaseStopped(what);
    },
  };
  return checks;
};
