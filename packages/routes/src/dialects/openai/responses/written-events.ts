import { noEarlyCitations, type EarlyCitations } from '../../generation/early-citations.ts';
import type { AnswerHead } from '../../generation/generation-dialect.ts';
import { namedEvent } from '../../../stream-in-time.ts';
import type { InputScan } from './custom-input.ts';
import { itemId, outputItem, type ItemParts, type OpenMessage } from './response-items.ts';

export type OpenText =
  | { readonly kind: 'message'; message: OpenMessage; readonly place: string }
  | { readonly kind: 'reasoning'; text: string };

/** The events of one response, so far as they are written. */
export interface WrittenEvents {
  readonly head: AnswerHead;
  /** The number of the next event. */
  next: number;
  /** The place of the last item. */
  index: number;
  /** The item whose text is still coming. */
  open: OpenText | null;
  /** Citations that came before a message. */
  readonly early: EarlyCitations;
  /** Visible text of the messages that have ended, in UTF-16 units. */
  said: number;
  /** The last call: how its input is read where it is one of a custom tool, and how many characters of it, or of its arguments, were sent. */
  call: { readonly input: InputScan | null; chars: number };
  /** Code without what it printed: both are one item, which is written when both are there. */
  code: string | null;
}

export const createEvents = (head: AnswerHead): WrittenEvents => ({
  head,
  next: 0,
  index: -1,
  open: null,
  early: noEarlyCitations(),
  said: 0,
  call: { input: null, chars: 0 },
  code: null,
});

/** One event, whose name is its type. */
export const writeEvent = (events: WrittenEvents, type: string, members: object): string => {
  const data = JSON.stringify({ type, sequence_number: events.next, ...members });
  events.next += 1;
  return namedEvent(type, data);
};

/** Where the text of the last message stands, as members of an event. */
export const textPlaceOf = (events: WrittenEvents): string =>
  JSON.stringify({ ...placeOf(events, 'message'), content_index: 0 }).slice(1, -1);

/** One piece of that text. Nearly every event is one, so it is written without an object. */
export const writeText = (events: WrittenEvents, place: string, text: string): string => {
  const type = 'response.output_text.delta';
  const number = events.next;
  events.next += 1;
  const delta = JSON.stringify(text);
  return namedEvent(type, `{"type":"${type}","sequence_number":${number},${place},"delta":${delta},"logprobs":[]}`);
};

/** Where the last item stands. */
export const placeOf = ({ head, index }: WrittenEvents, name: Parameters<typeof itemId>[1]) => ({
  item_id: itemId(head, name, index),
  output_index: index,
});

/** The event that begins an item, in which some members are still empty. */
export const addItem = (events: WrittenEvents, item: ItemParts, emptied: object): string => {
  events.index += 1;
  const added = { ...outputItem(events.head, item, events.index), ...emptied, status: 'in_progress' };
  return writeEvent(events, 'response.output_item.added', { output_index: events.index, item: added });
};

export const endItem = (events: WrittenEvents, item: ItemParts): string => {
  const done = outputItem(events.head, item, events.index);
  return writeEvent(events, 'response.output_item.done', { output_index: events.index, item: done });
};
