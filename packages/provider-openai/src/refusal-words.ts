import type { RefusalWords } from '@tollgate/provider';

/** Codes of this protocol, and words of servers that have none for it. */
export const refusalWords: RefusalWords = [
  [/content_policy_violation|content_filter|moderation_blocked|invalid_prompt/, 'content_policy'],
  [/image_too_large|image_file_too_large/, 'image_too_large'],
  [/invalid_image_format|unsupported_image_media_type|unsupported_file|unsupported mime ?type/i, 'media_type'],
  [/invalid_image|image_parse_error|invalid_base64_image|empty_image_file|image_file_not_found/, 'image_unreadable'],
  [/too many images/i, 'too_many_images'],
  [/invalid_function_parameters|invalid schema for function/i, 'function_schema'],
  [/invalid_json_schema|invalid schema for response_format/i, 'response_schema'],
  [
    /tool_call_ids? did not have response|must be followed by tool messages|no tool (?:call|output) found/i,
    'function_results',
  ],
];
