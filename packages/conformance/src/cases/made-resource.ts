import type { Kit, KitAsk } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Answer } from '../wire/exchange.ts';
import type { Json } from '../wire/json.ts';

const final = new Set(['completed', 'active', 'requires_action', 'failed', 'uncertain', 'expired', 'deleted']);

const isFinal = ({ json, status }: Answer): boolean => status !== 200 || final.has(json.at('status').text());

/** Creates one of a type; the case ends where that is refused. */
export const made = async (kit: Kit, rule: RuleId, ask: KitAsk): Promise<Json> => kit.taken(rule, await kit.send(ask));

/** The record of one, once nothing is left to do. */
export const ended = async (kit: Kit, rule: RuleId, ask: KitAsk): Promise<Json> =>
  kit.taken(rule, await kit.until(ask, isFinal));

/** Creates one and waits until nothing is left to do. */
export const finished = async (kit: Kit, rule: RuleId, ask: KitAsk): Promise<Json> => {
  const id = (await made(kit, rule, ask)).at('id').text();
  return ended(kit, rule, { by: ask.by, path: `${ask.path}/${id}` });
};

/** Puts away what a case made; a refusal does not matter. */
export const remove = async (kit: Kit, path: string): Promise<void> => {
  await kit.send({ method: 'DELETE', path });
};

const stepTexts = (step: Json): readonly string[] =>
  step
    .at('content')
    .list()
    .map((part) => part.at('text').text());

/** The text that a finished interaction says. */
export const saidBy = (record: Json): string =>
  record
    .at('result', 'steps')
    .list()
    .filter((step) => step.at('type').value === 'model_output')
    .flatMap(stepTexts)
    .join('');

/** The ids of a list, in its order. */
export const idsOf = ({ json }: Answer): readonly string[] =>
  json
    .at('data')
    .list()
    .map((one) => one.at('id').text());
