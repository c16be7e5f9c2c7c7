import type { UnitFacts } from '@tollgate/provider';
import { doneEvent, encodeEvent } from '@tollgate/sse';
import { creditsFromMicros } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { shownTier } from '../service-tier.ts';
import { sumTokens, tokenCounts } from '../token-counts.ts';

/** The stored body, as `planAnswer` wrote it. */
interface StoredCompletion {
  readonly choices: readonly [
    {
      readonly message: { readonly tool_calls?: readonly object[] };
      readonly finish_reason: string;
    },
  ];
}

// Written by `planAnswer` and stored by us alone, so its shape is known without a check on the hot path.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const parseStored = (body: string): StoredCompletion => JSON.parse(body) as StoredCompletion;

export const receiptOf = (operation: OperationRecord) => ({
  request_id: operation.id,
  project_id: operation.projectId,
  credits: creditsFromMicros(operation.chargedMicros),
});

const isCompletion = ({ part }: UnitFacts): boolean => part === 'response' || part === 'thoughts';

/** Token counts in the form client libraries know; every meter that counts tokens is on one side of it. */
export const usageOf = (operation: OperationRecord) => {
  const counts = tokenCounts(operation);
  const total = sumTokens(counts);
  const completion = sumTokens(counts, isCompletion);
  return { prompt_tokens: total - completion, completion_tokens: completion, total_tokens: total };
};

const tailOf = (brand: string, operation: OperationRecord) => {
  const withUsage = operation.answerForm === 'json_usage' || operation.answerForm === 'sse_usage';
  return {
    usage: withUsage ? usageOf(operation) : undefined,
    service_tier: shownTier(operation),
    [brand]: receiptOf(operation),
  };
};

/** The completion as JSON: the stored text with the credits put in, so that every copy of it is the same bytes. */
export const encodeUnary = (brand: string, operation: OperationRecord, body: string): string =>
  `${body.slice(0, -1)},${JSON.stringify(tailOf(brand, operation)).slice(1)}`;

/** What every chunk of one answer begins with. */
export const chunkHead = ({ id, createdAtMs, model }: Pick<OperationRecord, 'id' | 'createdAtMs' | 'model'>) => ({
  id: `chatcmpl-${id}`,
  object: 'chat.completion.chunk',
  created: Math.floor(createdAtMs / 1_000),
  model,
});

// stream:chat:three-events
/** The three events of a chat stream: content, credits, end. */
export const encodeStream = (brand: string, operation: OperationRecord, body: string): string => {
  const stored = parseStored(body);
  const [{ message, finish_reason }] = stored.choices;
  const head = chunkHead(operation);
  const calls = message.tool_calls?.map((call, index) => ({ index, ...call }));
  const delta = { ...message, ...(calls === undefined ? {} : { tool_calls: calls }) };
  const first = { ...head, choices: [{ index: 0, delta, finish_reason: null }] };
  const second = { ...head, choices: [{ index: 0, delta: {}, finish_reason }], ...tailOf(brand, operation) };
  return encodeEvent({ data: JSON.stringify(first) }) + encodeEvent({ data: JSON.stringify(second) }) + doneEvent;
};
