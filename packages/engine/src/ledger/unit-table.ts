import type { UsageUnit } from '@tollgate/provider';

/** What bounds how much of a unit one call can use. */
export type UnitBound =
  /** What is sent: tokens by its bytes or as the provider counts them, never more than the model's context. */
  | 'input'
  /** The limit of output tokens, which counts all kinds of output together. */
  | 'output_limit'
  /** What was asked for: so many seconds, texts, tokens kept for so long. */
  | 'request'
  /** The calls of a tool that are reserved for. */
  | 'tool_calls'
  /** The model's entry in the catalog (`unitsMax`); nothing else tells how many pieces an answer has. */
  | 'catalog_row'
  /** The period that a session is paid ahead. */
  | 'period';

export interface UnitRow {
  readonly bound: UnitBound;
  /** What it is charged as where it has no price of its own: the first of these that has one. */
  readonly chargedAs: readonly UsageUnit[];
  /** What an upstream may report in its place, so that the most expensive of them is reserved. */
  readonly mayBe: readonly UsageUnit[];
  /** The unit whose price stands for this one: where that costs something and this one has no price, this one costs nothing. */
  readonly paidBy?: UsageUnit;
}

const row = (bound: UnitBound, chargedAs: readonly UsageUnit[] = [], mayBe: readonly UsageUnit[] = []): UnitRow => ({
  bound,
  chargedAs,
  mayBe,
});

/** What an upstream may report of input that it writes into a cache of its own, */
const written: readonly UsageUnit[] = ['cache_write_input_tokens', 'cache_write_hour_input_tokens'];
/** and of any input where it has such a cache. */
const throughCache: readonly UsageUnit[] = ['cached_input_tokens', ...written];
const plainInput: readonly UsageUnit[] = ['input_text_tokens', ...throughCache];
const plainOutput: readonly UsageUnit[] = ['output_text_tokens', 'thought_tokens'];

const inputOf = (cached: UsageUnit): UnitRow => row('input', ['input_text_tokens'], [cached, ...plainInput]);
const cachedOf = (unit: UsageUnit): UnitRow => row('input', ['cached_input_tokens', unit, 'input_text_tokens']);
const outputOf = (): UnitRow => row('output_limit', ['output_text_tokens'], plainOutput);

/**
 * Every unit: what bounds it, what it costs without a price of its own, and what may be reported instead of it. A finer meter
 * never means a free ride: a token without a price of its own costs what a coarser one costs. What is counted in other things
 * than tokens (images, seconds, characters, queries, runs) is like nothing else, and has its own price or none.
 */
export const unitTable: Readonly<Record<UsageUnit, UnitRow>> = {
  input_text_tokens: row('input', [], throughCache),
  input_image_tokens: inputOf('cached_image_tokens'),
  input_audio_tokens: inputOf('cached_audio_tokens'),
  input_video_tokens: inputOf('cached_video_tokens'),
  input_document_tokens: inputOf('cached_document_tokens'),
  cached_input_tokens: row('input', ['input_text_tokens'], written),
  cached_image_tokens: cachedOf('input_image_tokens'),
  cached_audio_tokens: cachedOf('input_audio_tokens'),
  cached_video_tokens: cachedOf('input_video_tokens'),
  cached_document_tokens: cachedOf('input_document_tokens'),
  cache_write_input_tokens: row('input', ['input_text_tokens']),
  cache_write_hour_input_tokens: row('input', ['input_text_tokens']),
  output_text_tokens: row('output_limit', [], ['thought_tokens']),
  output_image_tokens: { ...outputOf(), paidBy: 'images' },
  output_audio_tokens: outputOf(),
  output_video_tokens: outputOf(),
  thought_tokens: row('output_limit', ['output_text_tokens']),
  tool_use_input_tokens: row('tool_calls', ['input_text_tokens'], plainInput),
  embedding_tokens: row('input', ['input_text_tokens']),
  embedding_inputs: row('request'),
  images: row('catalog_row'),
  input_audio_seconds: row('input'),
  output_audio_seconds: row('output_limit'),
  speech_characters: row('input'),
  video_seconds: row('request'),
  music_seconds: row('request'),
  music_clips: row('request'),
  cache_token_seconds: row('request'),
  indexing_tokens: row('input', ['embedding_tokens', 'input_text_tokens']),
  session_seconds: row('period'),
  mcp_calls: row('tool_calls'),
  host_tool_calls: row('tool_calls'),
  web_search_queries: row('tool_calls'),
  maps_queries: row('tool_calls'),
  retrieval_queries: row('tool_calls'),
  url_fetches: row('tool_calls'),
  code_execution_runs: row('tool_calls'),
};
