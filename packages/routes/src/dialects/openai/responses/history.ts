import { GatewayError, isRecord, type JsonRecord } from '@tollgate/contract';
import type { ExpandedBody, FoundAnswer } from '../../generation/generation-dialect.ts';
import { outputItems, placeOfItem } from './response-items.ts';
import { operationIdOf } from './response-object.ts';

/** Responses of one conversation that are looked up at the most. */
const responsesMax = 1_000;

type Find = (id: string) => Promise<FoundAnswer | null>;

const unknown = (field: string): GatewayError =>
  new GatewayError('not_found', {
    detail: `The field ${field} names a response that this project does not have, or one that was not stored; accepted are ids of stored responses.`,
  });

const listAt = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The items of a conversation up to a response, its own included, from the first. */
const itemsUpTo = async (last: string, find: Find): Promise<readonly unknown[]> => {
  const turns: (readonly unknown[])[] = [];
  let next: unknown = last;
  while (typeof next === 'string') {
    const found: FoundAnswer | null = turns.length < responsesMax ? await find(operationIdOf(next)) : null;
    const inputs = found?.head.echo['inputs'];
    if (found === null || inputs === undefined) throw unknown('previous_response_id');
    turns.push([...listAt(inputs), ...outputItems(found.head, found.answer.parts)]);
    next = found.head.echo['previous_response_id'];
  }
  return turns.toReversed().flat();
};

const isReference = (item: unknown): item is JsonRecord & { readonly id: string } =>
  isRecord(item) &&
  typeof item['id'] === 'string' &&
  (item['type'] === 'item_reference' || (item['type'] === undefined && item['role'] === undefined));

/** An item of a stored response, by its id. */
const findItem = async (id: string, field: string, find: Find): Promise<unknown> => {
  const place = placeOfItem(id);
  const found = place === null ? null : await find(place.responseId);
  const item = found === null || place === null ? undefined : outputItems(found.head, found.answer.parts)[place.index];
  if (item === undefined) throw unknown(field);
  return item;
};

/** Resolves what a body names of earlier responses: the conversation that it goes on with, and single items. */
export const expandResponse = async (body: unknown, find: Find): Promise<ExpandedBody> => {
  if (!isRecord(body)) return { body, history: [] };
  const found = new Map<string, Promise<FoundAnswer | null>>();
  const findOnce: Find = (id) => {
    const known = found.get(id) ?? find(id);
    if (found.size < responsesMax) found.set(id, known);
    return known;
  };
  const { previous_response_id: previous, input } = body;
  const history = typeof previous === 'string' ? await itemsUpTo(previous, findOnce) : [];
  if (!Array.isArray(input) || !input.some(isReference)) return { body, history };
  const items: unknown[] = [];
  for (const [index, item] of input.entries())
    items.push(isReference(item) ? await findItem(item.id, `input[${index}].id`, findOnce) : item);
  return { body: { ...body, input: items }, history };
};
