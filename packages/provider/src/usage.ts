/** What can be metered. Units of one report never overlap: cached input is not counted in input, nor is input that a cache was written from, thoughts not in output. */
export const usageUnits = [
  'input_text_tokens',
  'input_image_tokens',
  'input_audio_tokens',
  'input_video_tokens',
  'input_document_tokens',
  'cached_input_tokens',
  'cached_image_tokens',
  'cached_audio_tokens',
  'cached_video_tokens',
  'cached_document_tokens',
  'cache_write_input_tokens',
  'cache_write_hour_input_tokens',
  'output_text_tokens',
  'output_image_tokens',
  'output_audio_tokens',
  'output_video_tokens',
  'thought_tokens',
  'tool_use_input_tokens',
  'embedding_tokens',
  'embedding_inputs',
  'images',
  'input_audio_seconds',
  'output_audio_seconds',
  'speech_characters',
  'video_seconds',
  'music_seconds',
  'music_clips',
  'cache_token_seconds',
  'indexing_tokens',
  'session_seconds',
  'mcp_calls',
  'host_tool_calls',
  'web_search_queries',
  'maps_queries',
  'retrieval_queries',
  'url_fetches',
  'code_execution_runs',
] as const;

export type UsageUnit = (typeof usageUnits)[number];

/**
 * One metered quantity. `confirmed: false` means that the upstream did not say what the whole was: the operation becomes
 * uncertain, and the quantity is kept as what was used at the least.
 */
export interface Usage {
  readonly unit: UsageUnit;
  /** A non-negative integer. An explicit zero is a measurement; a missing one is not. */
  readonly quantity: number;
  readonly confirmed: boolean;
}
