import { shownTier } from '../../../service-tier.ts';
import { sumTokens, tokenCounts } from '../../../token-counts.ts';
import type { AnswerHead, SettledAnswer, UnfinishedAnswer } from '../../generation/generation-dialect.ts';
import type { GatewayError } from '@tollgate/contract';
import type { KeptAnswer } from '../../generation/kept-answer.ts';
import { outputItems } from './response-items.ts';

const prefix = 'resp_';

export const responseId = (id: string): string => `${prefix}${id}`;

/** The operation that the id of a response names. */
export const operationIdOf = (id: string): string => (id.startsWith(prefix) ? id.slice(prefix.length) : id);

/** A response without its outcome. What the request left out has the value that it means. */
export const responseHead = ({ id, createdAtMs, model, echo }: AnswerHead) => ({
  id: responseId(id),
  object: 'response',
  created_at: Math.floor(createdAtMs / 1_000),
  background: echo['background'] ?? false,
  model,
  instructions: echo['instructions'] ?? null,
  max_output_tokens: echo['max_output_tokens'] ?? null,
  max_tool_calls: echo['max_tool_calls'] ?? null,
  metadata: echo['metadata'] ?? {},
  parallel_tool_calls: echo['parallel_tool_calls'] ?? true,
  previous_response_id: echo['previous_response_id'] ?? null,
  reasoning: echo['reasoning'] ?? { effort: null, summary: null },
  store: echo['inputs'] !== undefined,
  temperature: echo['temperature'] ?? null,
  text: echo['text'] ?? { format: { type: 'text' } },
  tool_choice: echo['tool_choice'] ?? 'auto',
  tools: echo['tools'] ?? [],
  top_p: echo['top_p'] ?? null,
  truncation: 'disabled',
  user: echo['user'],
});

/** A response that goes on. */
export const openResponse = (head: AnswerHead) => ({
  ...responseHead(head),
  status: 'in_progress',
  error: null,
  incomplete_details: null,
  output: [],
  usage: null,
});

/** Thoughts are a part of the output here, and cached input of the input. */
const usageOf = ({ operation }: SettledAnswer) => {
  const counts = tokenCounts(operation);
  const total = sumTokens(counts);
  const thoughts = sumTokens(counts, ({ part }) => part === 'thoughts');
  const output = thoughts + sumTokens(counts, ({ part }) => part === 'response');
  const cached = sumTokens(counts, ({ isCached }) => isCached);
  return {
    input_tokens: total - output,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: 0 },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: thoughts },
    total_tokens: total,
  };
};

const reasons = { length: 'max_output_tokens', content_filter: 'content_filter' } as const;

/** What ends a response: the event and the members that say why. */
export const outcomeOf = (finish: KeptAnswer['finish']) => {
  if (finish === 'stop') return { status: 'completed', incomplete_details: null };
  if (finish === 'cancelled') return { status: 'cancelled', incomplete_details: null };
  return { status: 'incomplete', incomplete_details: { reason: reasons[finish] } };
};

/** A response that has ended, with its credits. */
export const endedResponse = (head: AnswerHead, settled: SettledAnswer) => ({
  ...responseHead(head),
  ...outcomeOf(settled.answer.finish),
  error: null,
  completed_at: Math.floor((settled.operation.endedAtMs ?? head.createdAtMs) / 1_000),
  output: outputItems(head, settled.answer.parts),
  usage: usageOf(settled),
  service_tier: shownTier(settled.operation),
  ...settled.receipt,
});

/** A response without an answer, and why: as a member of the response that has failed. */
export const brokenResponse = (head: AnswerHead, status: 'failed' | 'cancelled', error: object | null) => ({
  ...responseHead(head),
  status,
  error,
  incomplete_details: null,
  output: [],
  usage: null,
});

/** Why a response failed, for a client that asks for it by its id. */
const failure = ({ code, message }: GatewayError) => ({ code: 'server_error', message, reason: code });

/** A response that has not completed, for a client that asks for it by its id. */
export const unfinishedResponse = (head: AnswerHead, unfinished: UnfinishedAnswer): object => {
  switch (unfinished.status) {
    case 'queued':
    case 'in_progress':
      return { ...openResponse(head), status: unfinished.status };
    case 'cancelled':
      return brokenResponse(head, 'cancelled', null);
    case 'failed':
      return brokenResponse(head, 'failed', failure(unfinished.error));
  }
};
