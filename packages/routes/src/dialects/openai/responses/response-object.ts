import { sumTokens, tokenCounts } from '../../../token-counts.ts';
import type { AnswerHead, SettledAnswer } from '../../generation/generation-dialect.ts';
import type { FinishReason } from '@tollgate/provider';
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
  background: false,
  model,
  instructions: echo['instructions'] ?? null,
  max_output_tokens: echo['max_output_tokens'] ?? null,
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
export const outcomeOf = (finish: FinishReason) =>
  finish === 'stop'
    ? { status: 'completed', incomplete_details: null }
    : { status: 'incomplete', incomplete_details: { reason: reasons[finish] } };

/** A response that has ended, with its credits. */
export const endedResponse = (head: AnswerHead, settled: SettledAnswer) => ({
  ...responseHead(head),
  ...outcomeOf(settled.answer.finish),
  error: null,
  completed_at: Math.floor((settled.operation.endedAtMs ?? head.createdAtMs) / 1_000),
  output: outputItems(head, settled.answer.parts),
  usage: usageOf(settled),
  ...settled.receipt,
});
