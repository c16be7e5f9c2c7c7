import type { RefusalWords } from '@tollgate/provider';

/** This upstream has one type for all refusals of a request, and tells in words which it is. */
export const refusalWords: RefusalWords = [
  [/too many images/i, 'too_many_images'],
  [/image (?:exceeds|dimensions exceed)|image is too large/i, 'image_too_large'],
  [/could not process (?:the )?image|image .*(?:invalid|cannot be read)/i, 'image_unreadable'],
  [/maximum of \d+ pdf pages|pdf .*too large/i, 'document_too_large'],
  [/could not process (?:the )?pdf|pdf (?:specified )?(?:was not valid|is password protected)/i, 'document_unreadable'],
  [/`?tool_use`? ids were found without|unexpected `?tool_use_id`?|each `?tool_use`? must have/i, 'function_results'],
  [/input_schema/i, 'function_schema'],
  [/output_config\.format|output_format/i, 'response_schema'],
  [/media_type/i, 'media_type'],
  [/content (?:filtering )?policy/i, 'content_policy'],
];
