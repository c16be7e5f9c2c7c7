import {
  type CallContext,
  type Content,
  type EmbeddingCall,
  type EmbeddingInput,
  type Embeddings,
  type JsonObject,
  NotExecuted,
} from '@tollgate/provider';
import { jsonBody, type WireBody } from '@tollgate/provider-http';
import { askWithCopies } from './ask-with-copies.ts';
import { countContents } from './count-tokens.ts';
import { fromGoogleEmbeddings } from './from-google-embeddings.ts';
import { fromErrorInAnswer } from './from-google-error.ts';
import { inputTokensOf } from './from-google-usage.ts';
import { blobsOf, inlineBytesOf, placeBlobs, type CopyOptions } from './place-blobs.ts';
import { encodeOneTurn } from './request-body.ts';
import { send } from './send.ts';
import { toGoogleContents, type WireContent } from './to-google-contents.ts';
import type { UploadOptions } from './upload-file.ts';
import { modelPath, servicePath, type Upstream } from './upstream.ts';

/** The upstream takes no more in one request. */
const textsMax = 100;

/**
 * Embeds texts, one vector each, or all parts together as one. Older models do not say what they used: then the input is
 * counted by the upstream, which is exact and free, in an upstream request of its own; if that fails, nothing was measured.
 */
export const embed = async (upstream: Upstream, call: EmbeddingCall, context: CallContext): Promise<Embeddings> => {
  const obstacle = cannotEmbed(call.input);
  if (obstacle !== undefined) throw new NotExecuted({ reason: 'unsupported', cause: obstacle });
  const { input } = call;
  const hasFiles = input.kind === 'content' && input.parts.some(({ kind }) => kind === 'blob');
  return askWithCopies(hasFiles, (isFresh) => embedOnce(upstream, call, context, isFresh));
};

const embedOnce = async (
  upstream: Upstream,
  call: EmbeddingCall,
  context: CallContext,
  isFresh: boolean,
): Promise<Embeddings> => {
  const options = { context, deadlineMs: upstream.now() + upstream.limits.timeoutMs, isFresh };
  const contents = await embeddingContents(upstream, call, options);
  const { verb, body } = toEmbeddingRequest(call, contents);
  const path = servicePath(upstream, `${encodeURI(modelPath(call.upstreamModel))}:${verb}`);
  const { json: answer } = await send(upstream, { method: 'POST', path, body, ...options });
  const error = fromErrorInAnswer(answer, false, upstream.apiKey);
  if (error !== undefined) throw error;
  const { vectors, tokens } = fromGoogleEmbeddings(answer, contents.length);
  const measured = tokens ?? (await countInput(upstream, { model: call.upstreamModel, contents }, options));
  if (measured === undefined) return { vectors, usage: [] };
  return { vectors, usage: [{ unit: 'embedding_tokens', quantity: measured, confirmed: true }] };
};

export const cannotEmbed = (input: EmbeddingInput): string | undefined => {
  if (input.kind === 'texts') return input.texts.length > textsMax ? 'too many texts for one request' : undefined;
  if (input.documentOcr === true || input.audioTrackExtraction === true) {
    return 'the upstream does not take documentOcr and audioTrackExtraction with an API key';
  }
  return undefined;
};

/** The contents of an embedding, one for each vector. */
export const embeddingContents = async (
  upstream: Upstream,
  { input, upstreamModel }: EmbeddingCall,
  options: CopyOptions,
): Promise<readonly WireContent[]> => {
  if (input.kind === 'texts') {
    return input.texts.map((text) => ({ role: 'user', parts: [{ kind: 'json', value: { text } }] }));
  }
  const contents: readonly Content[] = [{ role: 'user', parts: input.parts }];
  const placing = { ...options, inlineBytes: inlineBytesOf(contents) };
  const uriOf = await placeBlobs(upstream, blobsOf(contents), placing);
  return toGoogleContents(contents, upstream.traitsOf(upstreamModel), uriOf);
};

export const embeddingSettings = (call: EmbeddingCall): JsonObject => ({
  model: modelPath(call.upstreamModel),
  taskType: call.task,
  title: call.title,
  outputDimensionality: call.dimensions,
});

const toEmbeddingRequest = (
  call: EmbeddingCall,
  contents: readonly WireContent[],
): { readonly verb: string; readonly body: WireBody } => {
  const settings = embeddingSettings(call);
  const { input } = call;
  if (input.kind === 'content') {
    const [content = { role: 'user', parts: [] }] = contents;
    return { verb: 'embedContent', body: encodeOneTurn(content, settings) };
  }
  const requests = input.texts.map((text) => ({ content: { role: 'user', parts: [{ text }] }, ...settings }));
  return { verb: 'batchEmbedContents', body: jsonBody({ requests }) };
};

/** Undefined where the count failed, whatever the reason: it says nothing of what is counted. */
export const countInput = async (
  upstream: Upstream,
  counted: { readonly model: string; readonly contents: readonly WireContent[] },
  options: UploadOptions,
): Promise<number | undefined> => {
  const quantities = await countContents(upstream, counted, options).catch(() => undefined);
  return quantities === undefined ? undefined : inputTokensOf(quantities);
};
