import sentences from './rules.json' with { type: 'json' };

/** Every rule of the contract, by its id, as one sentence. */
export const rules = sentences;

export type RuleId = keyof typeof rules;

const isRule = (id: string): id is RuleId => Object.hasOwn(rules, id);

/** All ids, in the order of the contract's areas. */
export const ruleIds: readonly RuleId[] = Object.keys(rules).filter(isRule);
