import type { Answer } from '../wire/exchange.ts';
import { parseJson, type Json } from '../wire/json.ts';
import { readEvents } from '../wire/read-events.ts';

/** What the gateway said that it charged, by operation: each is counted once, however often it is read. */
export interface CreditCount {
  readonly see: (answer: Answer) => void;
  readonly total: () => number;
  /** How many operations were charged anything. */
  readonly operations: () => number;
}

export const createCreditCount = (brand: string): CreditCount => {
  const charged = new Map<string, number>();
  const note = (id: string, credits: number): void => {
    if (id !== '' && Number.isFinite(credits)) charged.set(id, credits);
  };
  const seeJson = (json: Json): void => {
    for (const receipt of [json.at(brand), json.at('result', brand)])
      note(receipt.at('request_id').text(), receipt.at('credits').number());
    note(json.at('id').text(), json.at('charged_credits').number());
  };
  return {
    see: ({ json, text, headers }) => {
      seeJson(json);
      if (headers.get('content-type')?.startsWith('text/event-stream') === true)
        for (const { data } of readEvents(text)) seeJson(parseJson(data));
    },
    total: () => [...charged.values()].reduce((sum, credits) => sum + credits, 0),
    operations: () => [...charged.values()].filter((credits) => credits > 0).length,
  };
};
