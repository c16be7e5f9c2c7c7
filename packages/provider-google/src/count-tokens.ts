import { NotExecuted, UnknownOutcome, type CallContext, type GenerationCall, type Usage } from '@tollgate/provider';
import { fromErrorInAnswer } from './from-google-error.ts';
import { fromTokenCount, toUsage, type Quantities } from './from-google-usage.ts';
import { blobsOf, inlineBytesOf, placeBlobs } from './place-blobs.ts';
import { encodeRequest } from './request-body.ts';
import { send } from './send.ts';
import { toGoogleContents, type WireContent } from './to-google-contents.ts';
import { cannotSend, withSystemText } from './to-google.ts';
import type { UploadOptions } from './upload-file.ts';
import { modelPath, servicePath, type Upstream } from './upstream.ts';

/**
 * The input of a call as the upstream counts it. The count takes turns only, so that system text and declarations of
 * functions are counted as text of the first turn. Blobs that would have to be uploaded for it are not counted.
 */
export const countTokens = async (
  upstream: Upstream,
  call: GenerationCall,
  context: CallContext,
): Promise<readonly Usage[]> => {
  const obstacle = cannotSend(call, upstream.traitsOf(call.upstreamModel))?.why ?? cannotCount(upstream, call);
  if (obstacle !== undefined) throw new NotExecuted({ reason: 'unsupported', cause: obstacle });
  const options = { context, deadlineMs: upstream.now() + upstream.limits.timeoutMs };
  const placing = { ...options, inlineBytes: inlineBytesOf(call.contents) };
  const uriOf = await placeBlobs(upstream, blobsOf(call.contents), placing);
  const contents = toGoogleContents(call.contents, upstream.traitsOf(call.upstreamModel), uriOf);
  const besides = [call.systemInstruction ?? '', ...declarationsOf(call)].filter((text) => text !== '').join('\n');
  const counted = besides === '' ? contents : withSystemText(contents, besides);
  return toUsage(await countContents(upstream, { model: call.upstreamModel, contents: counted }, options), true);
};

const cannotCount = (upstream: Upstream, call: GenerationCall): string | undefined => {
  const blobs = blobsOf(call.contents).filter(({ file }) => file === undefined);
  const bytes = blobs.reduce((sum, { sizeBytes }) => sum + sizeBytes, inlineBytesOf(call.contents));
  const fits = blobs.length === 0 || bytes <= upstream.limits.inlineBytesMax;
  return fits ? undefined : 'media are too large to be counted ahead';
};

const declarationsOf = (call: GenerationCall): readonly string[] =>
  call.tools.flatMap((tool) => {
    if (tool.kind !== 'function') return [];
    const { name, description, parameters } = tool;
    return [JSON.stringify({ name, description, parameters })];
  });

export interface CountedContents {
  readonly model: string;
  readonly contents: readonly WireContent[];
}

/** Counts turns; free of charge. */
export const countContents = async (
  upstream: Upstream,
  { model, contents }: CountedContents,
  options: UploadOptions,
): Promise<Quantities> => {
  const answer = await send(upstream, {
    method: 'POST',
    path: servicePath(upstream, `${encodeURI(modelPath(model))}:countTokens`),
    body: encodeRequest({ contents, rest: {} }),
    ...options,
  });
  const body = answer.json;
  const error = fromErrorInAnswer(body, false, upstream.apiKey);
  if (error !== undefined) throw error;
  const quantities = fromTokenCount(body);
  if (quantities === undefined) throw new UnknownOutcome('unreadable_answer');
  return quantities;
};
