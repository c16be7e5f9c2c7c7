import type { RefusalWords } from '@tollgate/provider';

/** This upstream has one status for all refusals of a request, and tells in words which it is. */
export const refusalWords: RefusalWords = [
  [/unable to process input image|provided image is not valid/i, 'image_unreadable'],
  [/too many images/i, 'too_many_images'],
  [/document has no pages|unable to process input (?:document|pdf)/i, 'document_unreadable'],
  [/unsupported mime ?type/i, 'media_type'],
  [/function response (?:parts|turn)|function call turn/i, 'function_results'],
  [/function_declarations\[/i, 'function_schema'],
  [/response_?(?:json_)?schema/i, 'response_schema'],
];
