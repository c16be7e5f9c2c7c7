import {
  asArray,
  asObject,
  asText,
  type BatchResultItem,
  type Generation,
  type NotExecutedReason,
  type UntrustedObject,
} from '@tollgate/provider';
import { createBlockReader, readBlock } from './block-reader.ts';
import { finishOf } from './finish-reason.ts';
import { fromErrorInAnswer } from './from-anthropic-error.ts';
import { readMessageQuantities, toUsage } from './from-anthropic-usage.ts';
import { toGeneration } from './to-generation.ts';
import type { Upstream } from './upstream.ts';

/** One item of a batch as it is found again among the results. */
export interface BatchJobItem {
  readonly key: string;
  readonly includeThoughts: boolean;
}

/** What one item came to, by the `result` that the upstream reports of it. */
export const fromAnthropicResult = (
  upstream: Upstream,
  { key, includeThoughts }: BatchJobItem,
  result: UntrustedObject,
): BatchResultItem => {
  const message = asObject(result['message']);
  switch (result['type']) {
    case 'succeeded':
      if (message === undefined) return { key, kind: 'failed', reason: 'failed' };
      return { key, kind: 'generation', generation: fromMessage(upstream, message, includeThoughts) };
    case 'canceled':
      return { key, kind: 'cancelled' };
    default:
      // What expired did not run, and is billed as little as an error.
      return { key, kind: 'failed', reason: reasonOf(upstream, asObject(result['error'])) };
  }
};

const reasonOf = ({ apiKey }: Upstream, error: UntrustedObject | undefined): NotExecutedReason => {
  const failure = fromErrorInAnswer(error, false, apiKey);
  return failure !== undefined && failure.code === 'not_executed' ? failure.reason : 'failed';
};

/** A message that stands in a report was made, whatever is wrong with it. A turn that is paused there ends there. */
const fromMessage = ({ newCallId }: Upstream, message: UntrustedObject, includeThoughts: boolean): Generation => {
  const reader = createBlockReader({ includeThoughts, newCallId });
  const parts = asArray(message['content']).flatMap((block) => readBlock(reader, asObject(block) ?? {}));
  const isTold = asText(message['stop_reason']) !== undefined;
  const finish = isTold ? finishOf(message) : 'paused';
  const usage = toUsage(readMessageQuantities(message), isTold);
  return toGeneration({ finish: finish === 'paused' ? 'length' : finish, usage }, parts);
};
