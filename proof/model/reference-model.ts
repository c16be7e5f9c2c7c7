import { isEventBody, isWorkBody, type CommandBody } from './command.ts';
import type { Model, Moment } from './model.ts';
import { answerEvents } from './reference-events.ts';
import { answerMoney } from './reference-money.ts';
import { answerWork } from './reference-work.ts';

/*
 * What the engine must do, written from the design and not from the engine: plain numbers, mutable, one step at a time.
 * Whatever it says in a line of text, the engine must say too.
 */

/** Does what the command says and returns it. */
export const answerAsModel = (model: Model, body: CommandBody, now: Moment): string => {
  if (isWorkBody(body)) return answerWork(model, body, now);
  return isEventBody(body) ? answerEvents(model, body, now) : answerMoney(model, body, now);
};
