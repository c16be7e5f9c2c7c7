import type { TariffInput } from '@tollgate/engine';

// ledger:tariff:no-fixed-price
/** Prices for test mode, one for every unit; a real gateway brings its own. */
export const testModeTariff: TariffInput = {
  version: 'rehearsal-3',
  models: {
    '*': {
      perMillion: {
        input_text_tokens: '1',
        input_image_tokens: '1',
        input_audio_tokens: '2',
        input_video_tokens: '1',
        input_document_tokens: '1',
        cached_input_tokens: '0.25',
        cached_image_tokens: '0.25',
        cached_audio_tokens: '0.5',
        cached_video_tokens: '0.25',
        cached_document_tokens: '0.25',
        // No more than plain input, so that a hold is what it was: no upstream of test mode writes a cache.
        cache_write_input_tokens: '1',
        cache_write_hour_input_tokens: '1',
        output_text_tokens: '4',
        output_image_tokens: '30',
        output_audio_tokens: '10',
        output_video_tokens: '30',
        thought_tokens: '4',
        tool_use_input_tokens: '1',
        embedding_tokens: '0.2',
        // Embeddings are charged by token here; the count of inputs is measured, and costs nothing.
        embedding_inputs: '0',
        images: '40000',
        input_audio_seconds: '100',
        output_audio_seconds: '400',
        speech_characters: '15',
        video_seconds: '100000',
        music_seconds: '2000',
        music_clips: '60000',
        cache_token_seconds: '0.0003',
        indexing_tokens: '0.2',
        session_seconds: '200',
        mcp_calls: '1000',
        host_tool_calls: '1000',
        web_search_queries: '10000',
        maps_queries: '10000',
        retrieval_queries: '2500',
        url_fetches: '1000',
        code_execution_runs: '5000',
      },
      holdMinimum: '0.001',
      batch: { factor: '0.5' },
    },
  },
};
