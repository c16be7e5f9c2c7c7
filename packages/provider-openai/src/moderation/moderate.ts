import type { CallContext, ModerationCall, Moderations, Provider, Usage } from '@tollgate/provider';
import { encodeJson, jsonBody } from '@tollgate/provider-http';
import { ask, refuse } from '../ask.ts';
import { fromErrorInAnswer } from '../from-openai-error.ts';
import { checkParts } from '../inline-blobs.ts';
import type { ModerationMeasure, Upstream } from '../upstream.ts';
import { fromModeration, readModerationUsage } from './from-moderation.ts';
import { cannotModerate, toModeration } from './to-moderation.ts';

const freeUsage: readonly Usage[] = [{ unit: 'input_text_tokens', quantity: 0, confirmed: true }];

const measureOf = (measure: ModerationMeasure, call: ModerationCall): readonly Usage[] =>
  measure === 'free' ? freeUsage : measure(call);

const moderate = async (
  upstream: Upstream,
  measure: ModerationMeasure,
  call: ModerationCall,
  context: CallContext,
): Promise<Moderations> => {
  refuse(cannotModerate(call));
  const hasBlobs = checkParts(call.inputs.flat(), upstream.limits.inlineBytesMax);
  const fields = toModeration(call);
  const body = await ask(upstream, context, {
    path: 'moderations',
    operationId: call.operationId,
    body: hasBlobs ? encodeJson(fields) : jsonBody(fields),
  });
  const error = fromErrorInAnswer(body, upstream.apiKey);
  if (error !== undefined) throw error;
  return fromModeration(body, call.inputs.length, readModerationUsage(body) ?? measureOf(measure, call));
};

/** `POST /moderations`, where the host says that the upstream has it. */
export const moderation = (
  measure: ModerationMeasure | undefined,
  open: () => Promise<Upstream>,
): Pick<Provider, 'moderate'> =>
  measure === undefined ? {} : { moderate: async (call, context) => moderate(await open(), measure, call, context) };
