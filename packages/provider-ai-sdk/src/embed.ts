import type {
  EmbeddingModelV4,
  EmbeddingModelV4CallOptions,
  EmbeddingModelV4Result,
  JSONValue,
} from '@ai-sdk/provider';
import {
  asArray,
  asCount,
  asObject,
  isNotExecuted,
  UnknownOutcome,
  withUsageAtLeast,
  type CallContext,
  type EmbeddingCall,
  type Embeddings,
  type Part,
  type Usage,
} from '@tollgate/provider';
import { reportWarnings, type Settings } from './ai-sdk-provider-options.ts';
import { beforeSending } from './before-sending.ts';
import { fromCallError } from './from-sdk-error.ts';
import { loadMedia, type LoadedMedia } from './media-bytes.ts';
import { toMediaType } from './media-type.ts';
import { callModel } from './model-call.ts';
import { refuse } from './refuse.ts';
import type { Vendor } from './vendor.ts';

export interface EmbedCall {
  readonly model: EmbeddingModelV4;
  readonly call: EmbeddingCall;
  readonly context: CallContext;
  readonly settings: Settings;
}

/** What goes to the model, before it is cut into calls. */
interface EmbeddingRequest {
  readonly chunks: readonly (readonly string[])[];
  readonly options: Pick<EmbeddingModelV4CallOptions, 'dimensions' | 'providerOptions'>;
}

const toContentPart = (part: Part, loaded: LoadedMedia): { [name: string]: JSONValue } => {
  if (part.kind === 'text') return { text: part.text };
  if (part.kind !== 'media' && part.kind !== 'blob') return refuse(`a ${part.kind} in an embedding`);
  const data = part.kind === 'media' ? part.data : (loaded.get(part) ?? '');
  return { inlineData: { mimeType: toMediaType(part.mimeType), data } };
};

const chunked = (values: readonly string[], sizeMax: number): readonly (readonly string[])[] => {
  const chunks: (readonly string[])[] = [];
  for (let start = 0; start < values.length; start += sizeMax) chunks.push(values.slice(start, start + sizeMax));
  return chunks;
};

/** How many values go into one call; a model without a limit takes all of them. */
const sizeMaxOf = async (model: EmbeddingModelV4, values: number): Promise<number> => {
  const sizeMax = (await model.maxEmbeddingsPerCall) ?? values;
  return Number.isFinite(sizeMax) && sizeMax >= 1 ? Math.floor(sizeMax) : Math.max(1, values);
};

const toEndUser = (
  endUser: string | undefined,
  vendor: Vendor,
): Pick<EmbeddingModelV4CallOptions, 'providerOptions'> => {
  if (endUser === undefined) return {};
  if (vendor === 'openai') return { providerOptions: { openai: { user: endUser } } };
  if (vendor === 'openai_compatible') return { providerOptions: { openaiCompatible: { user: endUser } } };
  return refuse('a name of the end user', 'endUser');
};

const toRequest = async ({ model, call, settings }: EmbedCall): Promise<EmbeddingRequest> => {
  const vendor = settings.vendorOf(model);
  const { input, dimensions, task, title } = call;
  if (title !== undefined) refuse('a title', 'title');
  if (task !== undefined && vendor !== 'google') refuse('a task, which only models of Google take', 'task');
  const google: { [name: string]: JSONValue } = task === undefined ? {} : { taskType: task };
  const user = toEndUser(call.endUser, vendor);
  let values: readonly string[] = [''];
  if (input.kind === 'texts') values = input.texts;
  else {
    if (vendor !== 'google') refuse('an embedding of anything but texts');
    if (input.documentOcr === true || input.audioTrackExtraction === true) refuse('how a document is read');
    const loaded = await loadMedia([{ role: 'user', parts: input.parts }], settings.mediaBytesMax);
    google['content'] = [input.parts.map((part) => toContentPart(part, loaded))];
  }
  return {
    chunks: chunked(values, await sizeMaxOf(model, values.length)),
    options: {
      ...(dimensions === undefined ? {} : { dimensions }),
      ...(Object.keys(google).length === 0 ? {} : { providerOptions: { google } }),
      ...user,
    },
  };
};

/** Once a call was answered it is billed, so that a later failure is none of the whole. */
const asPart = (failure: unknown, answers: readonly EmbeddingModelV4Result[], settings: Settings): unknown => {
  if (answers.length === 0) return failure;
  const unknown = isNotExecuted(failure) ? new UnknownOutcome('part_executed', failure) : failure;
  const vectors = answers.reduce((sum, { embeddings }) => sum + embeddings.length, 0);
  return withUsageAtLeast(unknown, toUsage(answers, vectors, settings));
};

const callInTurn = async (
  { model, call, context, settings }: EmbedCall,
  { chunks, options }: EmbeddingRequest,
): Promise<readonly EmbeddingModelV4Result[]> => {
  const answers: EmbeddingModelV4Result[] = [];
  for (const chunk of chunks) {
    const answer = await callModel({
      context,
      now: settings.now,
      run: async (sending) => model.doEmbed({ values: [...chunk], ...options, ...sending }),
      toFailure: (error) => fromCallError(error, settings.now()),
    }).catch((failure: unknown) => {
      throw asPart(failure, answers, settings);
    });
    if (answer.embeddings.length !== chunk.length) throw new UnknownOutcome('unreadable_answer', 'vectors are missing');
    reportWarnings(settings, model, call.operationId, answer.warnings);
    answers.push(answer);
  }
  return answers;
};

/** Models of `@ai-sdk/google` leave the usage where the upstream put it. */
const tokensOf = ({ usage, response }: EmbeddingModelV4Result): number | undefined =>
  asCount(usage?.tokens) ?? asCount(asObject(asObject(response?.body)?.['usageMetadata'])?.['promptTokenCount']);

/** Tokens as the model counts them in every call, or the vectors that were made, as the host says. */
const toUsage = (
  answers: readonly EmbeddingModelV4Result[],
  vectors: number,
  { embeddingMeter }: Settings,
): readonly Usage[] => {
  if (embeddingMeter === 'embedding_inputs') return [{ unit: embeddingMeter, quantity: vectors, confirmed: true }];
  const counts = answers.flatMap((answer) => tokensOf(answer) ?? []);
  if (counts.length < answers.length) return [];
  const quantity = counts.reduce((sum, count) => sum + count, 0);
  return [{ unit: 'embedding_tokens', quantity, confirmed: true }];
};

/**
 * The vectors of one answer in the order of its values. Models of `@ai-sdk/openai-compatible` take them as they come, and
 * upstreams of that family may send them in any order, with their places beside them.
 */
const inOrder = ({ embeddings, response }: EmbeddingModelV4Result): readonly (readonly number[])[] => {
  const places = asArray(asObject(response?.body)?.['data']).map((item) => asCount(asObject(item)?.['index']));
  const ordered = embeddings.map((_, place) => embeddings[places.indexOf(place)]);
  return ordered.every((vector) => vector !== undefined) ? ordered : embeddings;
};

/** Embeds in as many calls as the model needs, one after the other. */
export const embed = async (embedding: EmbedCall): Promise<Embeddings> => {
  const request = await beforeSending(async () => toRequest(embedding));
  const answers = await callInTurn(embedding, request);
  const vectors = answers.flatMap(inOrder);
  return { vectors, usage: toUsage(answers, vectors.length, embedding.settings) };
};
