import { encodeJson, jsonBody } from '@tollgate/provider-http';
import type { CallContext, Generation, GenerationCall, JsonObject, Part } from '@tollgate/provider';
import type { AnswerStream } from '../answer-stream.ts';
import { ask, refuse } from '../ask.ts';
import type { GenerationWire } from '../generation-wire.ts';
import { checkBlobs, inlinePlainTexts } from '../inline-blobs.ts';
import type { Upstream } from '../upstream.ts';
import { cannotRespond } from './cannot-respond.ts';
import { fromResponses } from './from-responses.ts';
import { createResponseStream } from './response-stream.ts';
import { toResponses } from './to-responses.ts';

const readAnswer = (upstream: Upstream, call: GenerationCall, body: unknown): Generation => {
  const { missingUsage, newCallId, apiKey } = upstream;
  return fromResponses(body, {
    newCallId,
    apiKey,
    includeThoughts: call.thinking?.includeThoughts === true,
    estimateUsage:
      missingUsage === 'uncertain' ? undefined : (generation: Generation) => missingUsage(call, generation),
  });
};

interface Asked {
  readonly call: GenerationCall;
  readonly context: CallContext;
  readonly more: JsonObject;
  readonly stream?: AnswerStream;
}

const respond = async (upstream: Upstream, { call, context, more, stream }: Asked): Promise<Generation> => {
  refuse(cannotRespond(call, upstream.wire));
  const hasBlobs = checkBlobs(call, upstream.limits.inlineBytesMax);
  const inlined = hasBlobs ? await inlinePlainTexts(call, context.signal) : call;
  const fields = { ...toResponses(inlined, upstream.wire), ...more };
  const asking = {
    path: 'responses',
    operationId: call.operationId,
    body: hasBlobs ? encodeJson(fields) : jsonBody(fields),
  };
  return readAnswer(
    upstream,
    call,
    await ask(upstream, context, stream === undefined ? asking : { ...asking, stream }),
  );
};

/** What was not handed over while it came: citations and whole calls. */
const restOf = (parts: readonly Part[]): readonly Part[] =>
  parts.flatMap((part): readonly Part[] => {
    if (part.kind === 'function_call') return [part];
    return part.kind === 'text' && part.annotations !== undefined ? [{ ...part, text: '' }] : [];
  });

/** `POST /responses` of the upstream, where nothing is stored. */
export const responsesWire: GenerationWire = {
  generate: (upstream, call, context) => respond(upstream, { call, context, more: {} }),
  generateStream: async (upstream, call, context, { onParts, onCallPiece }) => {
    let handedOver = false;
    const stream = createResponseStream({
      eventBytesMax: upstream.limits.responseBytesMax,
      includeThoughts: call.thinking?.includeThoughts === true,
      apiKey: upstream.apiKey,
      onParts: (parts) => {
        handedOver = true;
        onParts(parts);
      },
      onCallPiece,
    });
    const {
      text: _text,
      functionCalls: _calls,
      parts = [],
      ...end
    } = await respond(upstream, {
      call,
      context,
      more: { stream: true },
      stream,
    });
    const rest = handedOver ? restOf(parts) : parts;
    if (rest.length > 0) onParts(rest);
    return end;
  },
};
