import { GatewayError, isRecord, type JsonRecord } from '@tollgate/contract';
import type { ExpandedBody, Expanding, FoundAnswer } from '../../generation/generation-dialect.ts';
import { outputItems, placeOfItem } from './response-items.ts';
import { operationIdOf } from './response-object.ts';

/** Responses of one conversation that are looked up at the most. */
const responsesMax = 1_000;

type Find = Expanding['find'];

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

/**
 * Finds items of stored responses by their ids. A response is counted when it is found; an item that is named again stands once more
 * in the body, and is counted each time.
 */
const createItems = (find: Find, take: Expanding['take']) => {
  const outputs = new Map<string, readonly object[]>();
  const named = new Set<string>();
  const outputOf = async (responseId: string): Promise<readonly object[]> => {
    const known = outputs.get(responseId);
    if (known !== undefined) return known;
    const found = await find(responseId);
    const output = found === null ? [] : outputItems(found.head, found.answer.parts);
    outputs.set(responseId, output);
    return output;
  };
  return async (id: string, field: string): Promise<unknown> => {
    const place = placeOfItem(id);
    const item = place === null ? undefined : (await outputOf(place.responseId))[place.index];
    if (item === undefined) throw unknown(field);
    if (named.has(id)) await take(JSON.stringify(item));
    named.add(id);
    return item;
  };
};

/** Resolves what a body names of earlier responses: the conversation that it goes on with, and single items. */
export const expandResponse = async (body: unknown, { find, take }: Expanding): Promise<ExpandedBody> => {
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
  const findItem = createItems(findOnce, take);
  const items: unknown[] = [];
  for (const [index, item] of input.entries())
    items.push(isReference(item) ? await findItem(item.id, `input[${index}].id`) : item);
  return { body: { ...body, input: items }, history };
};
