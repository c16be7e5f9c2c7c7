import type { JsonObject } from './json-object.ts';

/** A page that a text cites, and which characters of the answer cite it. */
export interface CitedPage {
  readonly url: string;
  readonly title?: string | undefined;
  /** Of the whole visible text of the answer, in UTF-16 units; both or none. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** A citation of a page, as `TextPart.annotations` holds it. */
export const urlCitation = ({ url, title, start, end }: CitedPage): JsonObject =>
  withoutUndefined({ type: 'url_citation', url, title, start_index: start, end_index: end });

/** Stored text has no members that are undefined, and what is replayed must equal it. */
const withoutUndefined = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));

/** The same citation where so many characters stand before the text, or with a negative number no longer do. */
export const moveCitation = (annotation: JsonObject, characters: number): JsonObject => {
  if (characters === 0) return annotation;
  const moved = (value: unknown): unknown => (typeof value === 'number' ? Math.max(0, value + characters) : value);
  return withoutUndefined({
    ...annotation,
    start_index: moved(annotation['start_index']),
    end_index: moved(annotation['end_index']),
  });
};
