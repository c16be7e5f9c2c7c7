import {
  asCount,
  asObject,
  UnknownOutcome,
  type CallContext,
  type GenerationCall,
  type Usage,
} from '@tollgate/provider';
import { encodeJson } from '@tollgate/provider-http';
import { prepareBlobs } from './prepare-blobs.ts';
import { refuseUnsendable } from './run-answer.ts';
import { send } from './send.ts';
import { toPrompt } from './to-anthropic.ts';
import type { Upstream } from './upstream.ts';

/** The input of a call as the upstream counts it, tools and images included; free of charge. */
export const countTokens = async (
  upstream: Upstream,
  call: GenerationCall,
  context: CallContext,
): Promise<readonly Usage[]> => {
  refuseUnsendable(upstream, call);
  const prepared = await prepareBlobs(call, upstream.limits.inlineBytesMax, context.signal);
  const answer = await send(upstream, {
    method: 'POST',
    path: 'messages/count_tokens',
    body: encodeJson(toPrompt(prepared, upstream.rulesOf(call.upstreamModel))),
    context,
    deadlineMs: upstream.now() + upstream.limits.timeoutMs,
  });
  const quantity = answer.kind === 'json' ? asCount(asObject(answer.json)?.['input_tokens']) : undefined;
  if (quantity === undefined) throw new UnknownOutcome('unreadable_answer');
  return [{ unit: 'input_text_tokens', quantity, confirmed: true }];
};
