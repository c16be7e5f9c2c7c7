import type { Kit, KitAsk } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Answer } from '../wire/exchange.ts';
import type { Json } from '../wire/json.ts';
import { directed, say } from './bodies.ts';

/** A chat that runs, and the repeat that was refused meanwhile. */
export interface Running {
  readonly id: string;
  readonly ask: KitAsk;
  readonly refused: Answer;
  readonly done: Promise<Answer>;
  /** Its record, once the upstream has it. */
  readonly record: Json;
  /** Breaks its connection off. */
  readonly leave: () => void;
}

/** Sends one chat twice under one identity, and returns while one of the two runs: it does not matter which. */
export const whileRunning = async (kit: Kit, rule: RuleId, text = ''): Promise<Running> => {
  const headers = { 'idempotency-key': kit.fresh('running') };
  const body = kit.body('chat', say(`${text}${directed('slow 2500')}`));
  const ask = { headers, path: '/chat/completions', body };
  const send = () => {
    const controller = new AbortController();
    return { controller, answer: kit.send({ ...ask, signal: controller.signal }) };
  };
  const [one, other] = [send(), send()];
  const isFirst = await Promise.race([one.answer.then(() => true), other.answer.then(() => false)]);
  const [refusal, runner] = isFirst ? [one, other] : [other, one];
  const refused = await refusal.answer;
  kit.about(refused);
  const id = refused.json.at('error', 'request_id').text();
  kit.need(rule, id !== '', 'a repeat while the first runs names no request_id');
  const read = await kit.until({ path: `/requests/${id}` }, ({ json }) => json.at('status').value === 'processing');
  const record = kit.taken(rule, read);
  return { id, ask, refused, record, done: runner.answer, leave: () => runner.controller.abort() };
};
