import type { Kit } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import { generate } from './ask-each.ts';

export const refused = async (kit: Kit, rule: RuleId, bodies: readonly unknown[], code?: string): Promise<void> => {
  for (const body of bodies) kit.refused(rule, await generate(kit, body), 422, ...(code === undefined ? [] : [code]));
};

export const taken = async (kit: Kit, rule: RuleId, bodies: readonly unknown[]): Promise<void> => {
  for (const body of bodies)
    kit.same(rule, (await generate(kit, body)).status, 200, 'the status of a body of the contract');
};

export const look = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } };
