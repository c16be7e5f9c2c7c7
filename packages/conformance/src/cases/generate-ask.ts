import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import { generate } from './ask-each.ts';

export const refused = async (kit: Kit, rule: RuleId, bodies: readonly unknown[], code?: string): Promise<void> => {
  for (const body of bodies) kit.refused(rule, await generate(kit, body), 422, ...(code === undefined ? [] : [code]));
};

export const taken = async (kit: Kit, rule: RuleId, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies) {
    const { status, json } = await generate(kit, body);
    kit.same(rule, status, 200, 'the status of a body of the contract');
    kit.holds(rule, json.at('candidates').list().length > 0, 'the response has no candidates');
  }
};

export const look = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
