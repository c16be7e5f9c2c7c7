import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import { allRefused } from './ask-each.ts';
import { finished } from './made-resource.ts';

export const path = '/interactions';

export const refused = (kit: Kit, rule: RuleId, bodies: readonly object[], code?: string): Promise<void> =>
  allRefused(
    kit,
    rule,
    code === undefined ? [422] : [422, code],
    bodies.map((body) => ({ path, body: kit.body('chat', body) })),
  );

export const taken = async (kit: Kit, rule: RuleId, bodies: readonly object[]): Promise<void> => {
  for (const body of bodies) await finished(kit, rule, { path, body: kit.body('chat', body) });
};

export const withTool = (tool: object): object => ({ input: 'Hello', tools: [tool] });
