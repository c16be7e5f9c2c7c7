/**
 * What a client may see of why the upstream refused its request. The list is closed, so that nothing of an upstream's text reaches a
 * client: a gateway has words of its own for each.
 */
export const refusalDetails = [
  'content_policy',
  'document_too_large',
  'document_unreadable',
  'function_results',
  'function_schema',
  'image_too_large',
  'image_unreadable',
  'media_type',
  'response_schema',
  'too_many_images',
] as const;
export type RefusalDetail = (typeof refusalDetails)[number];

const known: ReadonlySet<unknown> = new Set(refusalDetails);

/** Whether it is of the list. */
export const isRefusalDetail = (value: unknown): value is RefusalDetail => known.has(value);

/** Words or codes of an upstream, and what they mean; the first that fits counts. */
export type RefusalWords = readonly (readonly [words: RegExp, detail: RefusalDetail])[];

/** What an upstream's error says in the terms of the list: its words choose the detail, and go no further. */
export const refusalDetailOf = (text: string, words: RefusalWords): RefusalDetail | undefined =>
  words.find(([pattern]) => pattern.test(text))?.[1];
