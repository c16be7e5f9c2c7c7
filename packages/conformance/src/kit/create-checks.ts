import type { RuleId } from '../rules/rules.ts';
import type { Answer, Exchange } from '../wire/exchange.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { CaseStopped, isSame, shown, type Findings } from './findings.ts';
import type { Kit } from './kit.ts';

/** The checks of one case, and the response that a failure shows. */
export const createChecks = ({ title, rules }: ConformanceCase, findings: Findings) => {
  let current: Exchange | null = null;
  const holds = (rule: RuleId, ok: boolean, what: string): boolean => {
    if (!rules.includes(rule)) throw new Error(`the case does not declare the rule ${rule}`);
    findings.look(rule);
    if (!ok) findings.fail({ rule, case: title, what, exchange: current });
    return ok;
  };
  const about = ({ exchange }: Answer): void => {
    current = exchange;
  };
  const checks: Pick<Kit, 'about' | 'holds' | 'same' | 'fields' | 'refused' | 'taken' | 'need'> = {
    about,
    holds,
    same: (rule, found, wanted, what) =>
      holds(rule, isSame(found, wanted), `${what}: expected ${shown(wanted)}, found ${shown(found)}`),
    fields: (rule, object, wanted) => {
      const names = Object.keys(wanted);
      const found = Object.fromEntries(names.map((name) => [name, object.at(name).value]));
      return holds(rule, isSame(found, wanted), `expected ${shown(wanted)}, found ${shown(found)}`);
    },
    refused: (rule, answer, status, code) => {
      about(answer);
      const found = [answer.status, ...(code === undefined ? [] : [answer.json.at('error', 'code').value])];
      const wanted = [status, ...(code === undefined ? [] : [code])];
      return holds(rule, isSame(found, wanted), `expected ${wanted.join(' ')}, found ${found.join(' ')}`);
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
