import type { JsonObject, Part } from '@tollgate/provider';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Clients refuse a place that is no number: a citation of nothing in particular cites the empty text at the beginning. */
const placeOf = (value: unknown): number => (Number.isSafeInteger(value) ? Number(value) : 0);

const toChatCitation = (annotation: JsonObject): readonly JsonObject[] => {
  const url = textOf(annotation['url']);
  if (annotation['type'] !== 'url_citation' || url === '') return [];
  const title = textOf(annotation['title']);
  const [start_index, end_index] = [placeOf(annotation['start_index']), placeOf(annotation['end_index'])];
  return [{ type: 'url_citation', url_citation: { url, title: title === '' ? url : title, start_index, end_index } }];
};

/** What the visible texts among parts cite, as a message of OpenAI's chat has it: pages alone. */
export const chatCitations = (parts: readonly Part[]): readonly JsonObject[] =>
  parts.flatMap((part) =>
    part.kind === 'text' && part.thought !== true ? (part.annotations ?? []).flatMap(toChatCitation) : [],
  );
