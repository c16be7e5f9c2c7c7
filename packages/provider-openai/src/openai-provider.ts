import { createConnectionPool, encodeJson, jsonBody, type WireBody } from '@tollgate/provider-http';
import { checkConfiguration } from '@tollgate/contract/configuration';
import {
  asObject,
  generationParts,
  withUsageAtLeast,
  type CallContext,
  type EmbeddingCall,
  type Embeddings,
  type Generation,
  type GenerationCall,
  type GenerationEnd,
  type JsonObject,
  type Provider,
  type TextPart,
  type ToolName,
} from '@tollgate/provider';
import { createAnswerStream } from './answer-stream.ts';
import { ask, refuse } from './ask.ts';
import { cannotSend } from './carried-settings.ts';
import { fromOpenaiEmbedding } from './from-openai-embedding.ts';
import { fromErrorInAnswer } from './from-openai-error.ts';
import { fromOpenaiUsage } from './from-openai-usage.ts';
import { fromOpenai } from './from-openai.ts';
import { checkBlobs, inlinePlainTexts } from './inline-blobs.ts';
import { cannotEmbed, toOpenaiEmbedding } from './to-openai-embedding.ts';
import { searches, toOpenai } from './to-openai.ts';
import { openaiOptionsCheck } from './options-check.ts';
import type { GenerationWire, Takers } from './generation-wire.ts';
import { imagesWire } from './media/images-wire.ts';
import { speechWire } from './media/speech-wire.ts';
import { transcriptionWire } from './media/transcription-wire.ts';
import { moderation } from './moderation/moderate.ts';
import { responsesWire } from './responses/responses-wire.ts';
import { createUpstream, type OpenaiProviderOptions, type OpenaiWire, type Upstream } from './upstream.ts';

/**
 * A provider for any upstream that speaks chat completions or Responses, whole and streamed, embeddings, images, speech,
 * transcriptions and moderations. Makes no upstream request that is not recorded, and repeats only what certainly did not run. Upstream texts stay in
 * `cause`, for the log.
 */
export const openaiProvider = (options: OpenaiProviderOptions): Provider => {
  checkConfiguration('openaiProvider', openaiOptionsCheck, options);
  const { origin } = new URL(options.baseUrl);
  let opening: Promise<Upstream> | undefined;
  /** Once it is open: nearly all calls find it so, and need not wait. */
  let upstream: Upstream | undefined;
  let closing: Promise<void> | undefined;
  const open = async (): Promise<Upstream> => {
    upstream = createUpstream(options, options.dispatcher ?? (await createConnectionPool(origin, options)));
    return upstream;
  };
  const opened = (): Promise<Upstream> => (opening ??= open());
  const close = async (): Promise<void> => {
    const { dispatcher } = await opened();
    if (options.dispatcher === undefined) await dispatcher.close();
  };
  const wireOf = (upstreamModel: string): OpenaiWire =>
    typeof options.wire === 'function' ? options.wire(upstreamModel) : (options.wire ?? 'chat');
  return {
    name: options.name ?? 'openai',
    generate: (call, context) => {
      const wire = wires[wireOf(call.upstreamModel)];
      return upstream === undefined
        ? opened().then((first) => wire.generate(first, call, context))
        : wire.generate(upstream, call, context);
    },
    generateStream: async (call, context, onParts, onCallPiece) => {
      const wire = wires[wireOf(call.upstreamModel)];
      return (wire.generateStream ?? atOnce(wire))(await opened(), call, context, { onParts, onCallPiece });
    },
    embed: async (call, context) => embed(await opened(), call, context),
    ...moderation(options.moderation, opened),
    runsTool: (tool, upstreamModel) => runsTool(options, wireOf(upstreamModel), tool),
    takesServiceTier: (_tier, upstreamModel) =>
      options.serviceTier !== 'refused' && isTieredWire(wireOf(upstreamModel)),
    close: () => (closing ??= close()),
  };
};

/** Chat completions know functions, and a search where the host says so: every other tool of an interaction is run by the gateway. */
const runsTool = ({ webSearch }: OpenaiProviderOptions, wire: OpenaiWire, tool: ToolName): boolean =>
  wire === 'responses'
    ? tool === 'web_search' || tool === 'code_execution'
    : wire === 'chat' && tool === 'web_search' && webSearch === 'sent';

/** Calls that make media have no `service_tier`. */
const isTieredWire = (wire: OpenaiWire): boolean => wire === 'chat' || wire === 'responses';

/** A stream of one piece, for a wire that gives an answer whole. */
const atOnce =
  ({ generate: whole }: GenerationWire): NonNullable<GenerationWire['generateStream']> =>
  async (upstream, call, context, { onParts }) => {
    const generation = await whole(upstream, call, context);
    const parts = generationParts(generation);
    if (parts.length > 0) onParts(parts);
    const { text: _text, functionCalls: _calls, parts: _parts, ...end } = generation;
    return end;
  };

const generate = async (upstream: Upstream, call: GenerationCall, context: CallContext): Promise<Generation> => {
  const writing = toBody(upstream, call, context.signal);
  const body = writing instanceof Promise ? await writing : writing;
  const { operationId } = call;
  const asking = { path: 'chat/completions', operationId, body: toWireBody(body) };
  return readAnswer(upstream, call, await ask(upstream, context, asking));
};

const generateStream = async (
  upstream: Upstream,
  call: GenerationCall,
  context: CallContext,
  { onParts, onCallPiece }: Takers,
): Promise<GenerationEnd> => {
  const body = await toBody(upstream, call, context.signal);
  const streamOptions = upstream.streamOptions === 'sent' ? { stream_options: { include_usage: true } } : {};
  let handedOver = false;
  const stream = createAnswerStream({
    eventBytesMax: upstream.limits.responseBytesMax,
    includeThoughts: call.thinking?.includeThoughts === true,
    apiKey: upstream.apiKey,
    onParts: (parts) => {
      handedOver = true;
      onParts(parts);
    },
    onCallPiece,
  });
  const fields = { ...body.fields, stream: true, ...streamOptions };
  const answer = await ask(upstream, context, {
    path: 'chat/completions',
    operationId: call.operationId,
    body: toWireBody({ ...body, fields }),
    stream,
  });
  const generation = readAnswer(upstream, call, answer);
  // A call is whole when the answer is; and some servers answer in one piece whatever they are asked for.
  const rest = handedOver ? [...citationPiece(generation), ...generation.functionCalls] : generationParts(generation);
  if (rest.length > 0) onParts(rest);
  const { text: _text, functionCalls: _calls, parts: _parts, ...end } = generation;
  return end;
};

/** What the text of a streamed answer cites is known when it has come. */
const citationPiece = (generation: Generation): readonly TextPart[] => {
  const annotations = generationParts(generation).flatMap((part) =>
    part.kind === 'text' ? (part.annotations ?? []) : [],
  );
  return annotations.length === 0 ? [] : [{ kind: 'text', text: '', annotations }];
};

const embed = async (upstream: Upstream, call: EmbeddingCall, context: CallContext): Promise<Embeddings> => {
  refuse(cannotEmbed(call));
  const body = await ask(upstream, context, {
    path: 'embeddings',
    operationId: call.operationId,
    body: jsonBody(toOpenaiEmbedding(call)),
  });
  throwErrorIn(upstream, body);
  return fromOpenaiEmbedding(body, call.input.kind === 'texts' ? call.input.texts.length : 1);
};

interface CallBody {
  readonly fields: JsonObject;
  /** Whether blobs are read into it while it is sent: chat completions take no reference to them. */
  readonly hasBlobs: boolean;
}

const toWireBody = ({ fields, hasBlobs }: CallBody): WireBody => (hasBlobs ? encodeJson(fields) : jsonBody(fields));

const toBody = (upstream: Upstream, call: GenerationCall, signal: AbortSignal): CallBody | Promise<CallBody> => {
  refuse(cannotSend(call, upstream.wire));
  const hasBlobs = checkBlobs(call, upstream.limits.inlineBytesMax);
  const body = (whole: GenerationCall): CallBody => ({ fields: toOpenai(whole, upstream.wire), hasBlobs });
  return hasBlobs ? inlinePlainTexts(call, signal).then(body) : body(call);
};

const throwErrorIn = (upstream: Upstream, body: unknown): void => {
  const error = fromErrorInAnswer(body, upstream.apiKey);
  if (error !== undefined) throw error;
};

const readAnswer = (upstream: Upstream, call: GenerationCall, body: unknown): Generation => {
  throwErrorIn(upstream, body);
  const { missingUsage, newCallId } = upstream;
  const options = {
    newCallId,
    includeThoughts: call.thinking?.includeThoughts === true,
    hasSearch: searches(call),
    estimateUsage:
      missingUsage === 'uncertain' ? undefined : (generation: Generation) => missingUsage(call, generation),
  };
  try {
    return fromOpenai(body, options);
  } catch (failure) {
    // An unreadable response was made all the same, and may have been measured.
    throw withUsageAtLeast(failure, fromOpenaiUsage(asObject(body)?.['usage'], false));
  }
};

const wires: { readonly [Wire in OpenaiWire]: GenerationWire } = {
  chat: { generate, generateStream },
  responses: responsesWire,
  images: imagesWire,
  speech: speechWire,
  transcription: transcriptionWire,
};
