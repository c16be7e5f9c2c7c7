import {
  asObject,
  isNotExecuted,
  NotExecuted,
  parseJson,
  UnknownOutcome,
  withUsageAtLeast,
  type Attempt,
  type CallContext,
  type GenerationCall,
  type OnParts,
} from '@tollgate/provider';
import { createEventDecoder } from '@tollgate/sse';
import { fromErrorInAnswer, isLostFile } from './from-google-error.ts';
import {
  createAnswerReader,
  endRequest,
  hasBegun,
  hasEnded,
  readCitations,
  takeResponse,
  usageAtLeast,
  type AnswerReader,
} from './from-google.ts';
import { blobsOf, inlineBytesOf, placeBlobs } from './place-blobs.ts';
import { encodeRequest } from './request-body.ts';
import { send, type WireAnswer, type WireCall } from './send.ts';
import { readGoogleTier, sharedTier } from './served-tier.ts';
import { cannotSend, toGoogle, type GoogleRequest } from './to-google.ts';
import { modelPath, servicePath, type Upstream } from './upstream.ts';

export interface AnswerJob {
  readonly call: GenerationCall;
  readonly context: CallContext;
  readonly isStream: boolean;
  readonly onParts: OnParts;
}

interface Run extends AnswerJob {
  readonly upstream: Upstream;
  readonly reader: AnswerReader;
  readonly deadlineMs: number;
}

/**
 * Runs one answer to its end, over as many requests as the upstream makes of it, and hands over its parts as they come.
 * Files that the upstream lost are given to it again, once.
 */
export const runAnswer = async (upstream: Upstream, job: AnswerJob): Promise<AnswerReader> => {
  const obstacle = cannotSend(job.call, upstream.traitsOf(job.call.upstreamModel));
  if (obstacle !== undefined)
    throw new NotExecuted({ reason: 'unsupported', field: obstacle.field, cause: obstacle.why });
  const { timeoutMs, streamTimeoutMs, modelRoundsMax } = upstream.limits;
  const reader = createAnswerReader({
    newCallId: upstream.newCallId,
    isStream: job.isStream,
    imageMeter: upstream.imageMeter,
    outputTokensMax: job.call.outputTokensMax,
    modelRoundsMax,
    hasSearch: job.call.tools.some(({ kind }) => kind === 'web_search'),
  });
  const deadlineMs = upstream.now() + (job.isStream ? streamTimeoutMs : timeoutMs);
  const run: Run = { ...job, upstream, reader, deadlineMs };
  try {
    await runToEnd(run);
  } catch (failure) {
    throw withUsageAtLeast(failure, usageAtLeast(reader));
  }
  return reader;
};

const runToEnd = async (run: Run): Promise<void> => {
  const blobs = blobsOf(run.call.contents);
  const request = await prepare(run, false);
  try {
    await runRequest(run, request);
    await goOn(run, request);
  } catch (failure) {
    const isRefused = blobs.length > 0 && !hasBegun(run.reader) && isLostFile(failure);
    if (!isRefused) throw failure;
    const renewed = await prepare(run, true);
    await runRequest(run, renewed);
    await goOn(run, renewed);
  }
};

const prepare = async (run: Run, isFresh: boolean): Promise<GoogleRequest> => {
  const { upstream, call, context, deadlineMs } = run;
  const inlineBytes = inlineBytesOf(call.contents);
  const uriOf = await placeBlobs(upstream, blobsOf(call.contents), { context, deadlineMs, inlineBytes, isFresh });
  return toGoogle(call, upstream.traitsOf(call.upstreamModel), uriOf);
};

/** The further requests of an answer. One that certainly did not run leaves what came before it: paid, and partial. */
const goOn = async (run: Run, request: GoogleRequest): Promise<void> => {
  let token = endRequest(run.reader);
  while (token !== undefined) {
    const next = { ...request, rest: { ...request.rest, continuationToken: token } };
    try {
      await runRequest(run, next);
    } catch (failure) {
      if (!isNotExecuted(failure)) throw failure;
      return;
    }
    token = endRequest(run.reader);
  }
};

const runRequest = async (run: Run, request: GoogleRequest): Promise<void> => {
  await (run.isStream ? runStream(run, request) : runWhole(run, request));
  const annotations = readCitations(run.reader);
  if (annotations.length > 0) run.onParts([{ kind: 'text', text: '', annotations }]);
};

const toWireCall = ({ upstream, call, context, deadlineMs }: Run, request: GoogleRequest, verb: string): WireCall => ({
  method: 'POST',
  path: servicePath(upstream, `${encodeURI(modelPath(call.upstreamModel))}:${verb}`),
  body: encodeRequest(request),
  context,
  deadlineMs,
});

const noteTier = (reader: AnswerReader, { headers }: WireAnswer): void => {
  reader.servedTier = sharedTier(reader.servedTier, readGoogleTier(headers, reader.round.usage));
};

const runWhole = async (run: Run, request: GoogleRequest): Promise<void> => {
  const answer = await send(run.upstream, toWireCall(run, request, 'generateContent'));
  const { reader } = run;
  const body = answer.json;
  const error = fromErrorInAnswer(body, hasBegun(reader), run.upstream.apiKey);
  if (error !== undefined) throw error;
  const response = asObject(body);
  if (response === undefined) throw new UnknownOutcome('unreadable_answer');
  run.onParts(takeResponse(reader, response));
  noteTier(reader, answer);
};

const runStream = async (run: Run, request: GoogleRequest): Promise<void> => {
  const { reader, onParts } = run;
  const decoder = createEventDecoder({ eventBytesMax: run.upstream.limits.eventBytesMax });
  let failure: NotExecuted | UnknownOutcome | undefined;
  const takeEvent = (data: string): void => {
    // A gateway in between may close a stream in the manner of another upstream.
    if (failure !== undefined || data === '' || data === '[DONE]') return;
    const body = parseJson(data);
    failure = fromErrorInAnswer(body, hasBegun(reader), run.upstream.apiKey);
    if (failure !== undefined) return;
    const response = asObject(body);
    if (response === undefined) throw new UnknownOutcome('unreadable_answer');
    const parts = takeResponse(reader, response);
    if (parts.length > 0) onParts(parts);
  };
  const answer = await send(run.upstream, {
    ...toWireCall(run, request, 'streamGenerateContent?alt=sse'),
    headers: { accept: 'text/event-stream' },
    onChunk: (chunk) => {
      for (const { data } of decoder.push(chunk)) takeEvent(data);
    },
    verdict: () => verdictOf(failure, hasEnded(reader)),
    answerId: () => reader.round.answerId,
  });
  if (failure !== undefined) throw failure;
  noteTier(reader, answer);
};

/** What the content of a stream says of the upstream request that brought it. */
const verdictOf = (failure: NotExecuted | UnknownOutcome | undefined, ended: boolean): Attempt['outcome'] => {
  if (failure === undefined) return ended ? 'answered' : 'unknown';
  return isNotExecuted(failure) ? 'refused' : 'unknown';
};
