import { usageUnits, type UsageUnit } from './usage.ts';

/** The part of a call that a unit measures, as clients are shown it. */
type UnitPart = 'prompt' | 'response' | 'thoughts' | 'tool_results' | 'other';

type UnitModality = 'text' | 'image' | 'audio' | 'video' | 'document';

/** What a unit is, so that no code has to read it from its name. */
export interface UnitFacts {
  readonly part: UnitPart;
  /** Of tokens, what they encode; null where that is not said. */
  readonly modality: UnitModality | null;
  /** Whether it counts tokens. */
  readonly isTokens: boolean;
  /** Of input, the unit that counts it where it was read from a cache. */
  readonly cachedAs: UsageUnit | null;
  /** Whether it counts input that was read from a cache. */
  readonly isCached: boolean;
  /** Whether it counts input that the upstream wrote into a cache of its own, for calls to come. */
  readonly isWritten: boolean;
}

const tokens = (part: UnitPart, modality: UnitModality | null = null): UnitFacts => ({
  part,
  modality,
  isTokens: true,
  cachedAs: null,
  isCached: false,
  isWritten: false,
});
const input = (modality: UnitModality, cachedAs: UsageUnit): UnitFacts => ({ ...tokens('prompt', modality), cachedAs });
const cached = (modality: UnitModality): UnitFacts => ({ ...tokens('prompt', modality), isCached: true });
const written: UnitFacts = { ...tokens('prompt', 'text'), isWritten: true };
const pieces = (part: UnitPart = 'other'): UnitFacts => ({ ...tokens(part), isTokens: false });

/** What each unit is. */
export const unitFacts: Readonly<Record<UsageUnit, UnitFacts>> = {
  input_text_tokens: input('text', 'cached_input_tokens'),
  input_image_tokens: input('image', 'cached_image_tokens'),
  input_audio_tokens: input('audio', 'cached_audio_tokens'),
  input_video_tokens: input('video', 'cached_video_tokens'),
  input_document_tokens: input('document', 'cached_document_tokens'),
  cached_input_tokens: cached('text'),
  cached_image_tokens: cached('image'),
  cached_audio_tokens: cached('audio'),
  cached_video_tokens: cached('video'),
  cached_document_tokens: cached('document'),
  cache_write_input_tokens: written,
  cache_write_hour_input_tokens: written,
  output_text_tokens: tokens('response', 'text'),
  output_image_tokens: tokens('response', 'image'),
  output_audio_tokens: tokens('response', 'audio'),
  output_video_tokens: tokens('response', 'video'),
  thought_tokens: tokens('thoughts'),
  tool_use_input_tokens: tokens('tool_results'),
  embedding_tokens: tokens('other'),
  embedding_inputs: pieces(),
  images: pieces(),
  input_audio_seconds: pieces('prompt'),
  output_audio_seconds: pieces('response'),
  speech_characters: pieces(),
  video_seconds: pieces(),
  music_seconds: pieces(),
  music_clips: pieces(),
  cache_token_seconds: pieces(),
  indexing_tokens: tokens('other'),
  session_seconds: pieces(),
  mcp_calls: pieces(),
  host_tool_calls: pieces(),
  web_search_queries: pieces(),
  maps_queries: pieces(),
  retrieval_queries: pieces(),
  url_fetches: pieces(),
  code_execution_runs: pieces(),
};

const known: ReadonlySet<string> = new Set(usageUnits);

/** Whether a text names a unit. A stored record can hold a unit that no longer exists. */
export const isUsageUnit = (unit: string): unit is UsageUnit => known.has(unit);
