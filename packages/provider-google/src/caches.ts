import {
  asCount,
  asObject,
  asText,
  type CacheCall,
  type CallContext,
  type CreatedCache,
  NotExecuted,
  type ProviderCaches,
  UnknownOutcome,
} from '@tollgate/provider';
import { encodeJson, jsonBody } from '@tollgate/provider-http';
import { handOver } from './ask-upstream.ts';
import { askWithCopies } from './ask-with-copies.ts';
import { countContents } from './count-tokens.ts';
import { inputTokensOf } from './from-google-usage.ts';
import { contentJson } from './content-json.ts';
import { blobsOf, inlineBytesOf, placeBlobs } from './place-blobs.ts';
import { ifGone } from './project-copies.ts';
import { send } from './send.ts';
import type { ModelTraits } from './model-traits.ts';
import { toGoogleContents, type UriOf } from './to-google-contents.ts';
import { withSystemText } from './to-google.ts';
import { modelPath, resourcePath, servicePath, type Upstream } from './upstream.ts';

const optionsOf = (upstream: Upstream, context: CallContext) => ({
  context,
  deadlineMs: upstream.now() + upstream.limits.timeoutMs,
});

const lifetime = (ttlSeconds: number): string => `${ttlSeconds}s`;

const create = (upstream: Upstream, call: CacheCall, context: CallContext): Promise<CreatedCache> =>
  askWithCopies(blobsOf(call.contents).length > 0, (isFresh) => createOnce(upstream, call, context, isFresh));

/** What a cache holds on the wire: a model that takes no instruction has it in the first turn, as in a call. */
const heldBy = (call: CacheCall, traits: ModelTraits, uriOf: UriOf) => {
  const contents = toGoogleContents(call.contents, traits, uriOf);
  const system = call.systemInstruction === '' ? null : call.systemInstruction;
  if (system === null) return { contents, systemInstruction: undefined };
  return traits.systemInFirstTurn
    ? { contents: withSystemText(contents, system), systemInstruction: undefined }
    : { contents, systemInstruction: system };
};

const createOnce = async (
  upstream: Upstream,
  call: CacheCall,
  context: CallContext,
  isFresh: boolean,
): Promise<CreatedCache> => {
  const options = optionsOf(upstream, context);
  const placing = { ...options, inlineBytes: inlineBytesOf(call.contents), isFresh };
  const uriOf = await placeBlobs(upstream, blobsOf(call.contents), placing);
  const { contents, systemInstruction } = heldBy(call, upstream.traitsOf(call.upstreamModel), uriOf);
  if (contents.length === 0) throw new NotExecuted({ reason: 'invalid_request', cause: 'nothing to keep' });
  const body = encodeJson({
    model: modelPath(call.upstreamModel),
    displayName: call.displayName ?? undefined,
    ttl: lifetime(call.ttlSeconds),
    systemInstruction: systemInstruction === undefined ? undefined : { parts: [{ text: systemInstruction }] },
    contents: contents.map(contentJson),
  });
  const made = await handOver(upstream, {
    method: 'POST',
    path: servicePath(upstream, 'cachedContents'),
    body,
    context,
  });
  const reference = asText(made['name']);
  if (reference === undefined) throw new UnknownOutcome('unreadable_answer');
  const told = asCount(asObject(made['usageMetadata'])?.['totalTokenCount']);
  // A count takes turns only.
  const counted = systemInstruction === undefined ? contents : withSystemText(contents, systemInstruction);
  const tokens = told ?? (await countKept(upstream, { model: call.upstreamModel, contents: counted }, options));
  return { reference, tokens, usage: [{ unit: 'input_text_tokens', quantity: tokens, confirmed: true }] };
};

/** It is kept, whatever becomes of the count: no failure of that may say that nothing ran. */
const countKept = async (...asked: Parameters<typeof countContents>): Promise<number> => {
  try {
    return inputTokensOf(await countContents(...asked));
  } catch (cause) {
    throw new UnknownOutcome('unreadable_answer', cause);
  }
};

const extend = async (
  upstream: Upstream,
  reference: string,
  ttlSeconds: number,
  context: CallContext,
): Promise<void> => {
  const path = resourcePath(upstream, reference);
  await handOver(upstream, { method: 'PATCH', path, body: jsonBody({ ttl: lifetime(ttlSeconds) }), context });
};

/** Context that the upstream keeps. It is charged by the token: what goes in, and what is kept for how long. */
export const cachesOf = (open: () => Promise<Upstream>): ProviderCaches => ({
  create: async (call, context) => create(await open(), call, context),
  extend: async (reference, ttlSeconds, context) => extend(await open(), reference, ttlSeconds, context),
  remove: async (reference, context) => {
    const upstream = await open();
    const path = resourcePath(upstream, reference);
    await send(upstream, { method: 'DELETE', path, ...optionsOf(upstream, context) }).catch(ifGone);
  },
});
