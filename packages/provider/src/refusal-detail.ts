import type { NotExecutedReason } from './not-executed-reason.ts';

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

/** Codes and words of upstreams, and what they mean; the first that fits counts. */
const refusalWords: readonly (readonly [words: RegExp, detail: RefusalDetail])[] = [
  [/content_policy_violation|moderation_blocked|content (?:filtering )?policy/i, 'content_policy'],
  [/too many images/i, 'too_many_images'],
  [/image_too_large|image_file_too_large|image (?:exceeds|dimensions exceed)/i, 'image_too_large'],
  [/invalid_image_format|unsupported_image_media_type|unsupported mime ?type/i, 'media_type'],
  [/invalid_image|image_parse_error|invalid_base64_image|empty_image_file/i, 'image_unreadable'],
  [/could not process (?:the )?image|unable to process input image|provided image is not valid/i, 'image_unreadable'],
  [/maximum of \d+ pdf pages/i, 'document_too_large'],
  [/could not process (?:the )?pdf|pdf specified (?:was not valid|is password protected)/i, 'document_unreadable'],
  [/document has no pages|unable to process input (?:document|pdf)/i, 'document_unreadable'],
  [/invalid_function_parameters|invalid schema for function|input_schema|function_declarations\[/i, 'function_schema'],
  [/invalid_json_schema|invalid schema for response_format|response_(?:json_)?schema/i, 'response_schema'],
  [/`tool_use` ids were found without|unexpected `tool_use_id`|function response parts/i, 'function_results'],
  [/must be followed by tool messages|tool_call_ids? did not have response/i, 'function_results'],
];

/**
 * What the codes and the message of an upstream's error mean, where it refused the request: they choose the detail, and go no
 * further.
 */
export const readRefusalDetail = (
  reason: NotExecutedReason,
  codes: readonly string[],
  message: string,
): RefusalDetail | undefined => {
  if (reason !== 'invalid_request') return undefined;
  const text = [...codes, message].join(' ');
  return refusalWords.find(([words]) => words.test(text))?.[1];
};
