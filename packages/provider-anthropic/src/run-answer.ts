import {
  asArray,
  asObject,
  asText,
  isNotExecuted,
  NotExecuted,
  readServedTier,
  UnknownOutcome,
  withUsageAtLeast,
  type CallContext,
  type FinishReason,
  type GenerationCall,
  type GenerationEnd,
  type JsonObject,
  type OnCallPiece,
  type OnParts,
  type ServiceTier,
  type UntrustedObject,
} from '@tollgate/provider';
import { encodeJson } from '@tollgate/provider-http';
import { createAnswerStream, type AnswerStream } from './answer-stream.ts';
import { createBlockReader, readBlock, type BlockReader } from './block-reader.ts';
import { cannotSend } from './carried-settings.ts';
import { fromErrorInAnswer } from './from-anthropic-error.ts';
import { addQuantities, readMessageQuantities, toUsage, type Quantities } from './from-anthropic-usage.ts';
import { finishOf, isCutAtLimit } from './finish-reason.ts';
import { prepareBlobs } from './prepare-blobs.ts';
import { send } from './send.ts';
import { toAnthropic } from './to-anthropic.ts';
import type { Upstream } from './upstream.ts';

export interface AnswerJob {
  readonly call: GenerationCall;
  readonly context: CallContext;
  readonly isStream: boolean;
  readonly onParts: OnParts;
  readonly onCallPiece?: OnCallPiece | undefined;
}

/** One answer, over as many requests as the upstream makes of it. */
interface Run extends AnswerJob {
  readonly upstream: Upstream;
  readonly reader: BlockReader;
  readonly deadlineMs: number;
  /** What the requests so far used. */
  used: Quantities;
  /** Whether each of them said what it used. */
  isMeasured: boolean;
  /** How the requests so far were served, as far as they said so. */
  servedTier: ServiceTier | undefined;
  /** The stream of the present request. */
  stream: AnswerStream | undefined;
}

/** Runs one answer to its end and hands over its parts as they come. A turn that the upstream pauses is continued. */
export const runAnswer = async (upstream: Upstream, job: AnswerJob): Promise<GenerationEnd> => {
  refuseUnsendable(upstream, job.call);
  const call = await prepareBlobs(job.call, upstream.limits.inlineBytesMax, job.context.signal);
  const { timeoutMs, streamTimeoutMs } = upstream.limits;
  const run: Run = {
    ...job,
    call,
    upstream,
    reader: createBlockReader({
      includeThoughts: call.thinking?.includeThoughts === true,
      newCallId: upstream.newCallId,
    }),
    deadlineMs: upstream.now() + (job.isStream ? streamTimeoutMs : timeoutMs),
    used: new Map(),
    isMeasured: true,
    servedTier: undefined,
    stream: undefined,
  };
  try {
    const finish = await runRounds(run);
    return { finish, usage: toUsage(run.used, run.isMeasured), servedTier: run.servedTier };
  } catch (failure) {
    throw withUsageAtLeast(failure, toUsage(addQuantities(run.used, run.stream?.usedAtLeast() ?? new Map()), false));
  }
};

/** Throws where a call cannot be carried, before anything is sent. */
export const refuseUnsendable = (upstream: Upstream, call: GenerationCall): void => {
  const obstacle = cannotSend(call, upstream.traitsOf(call.upstreamModel));
  if (obstacle !== undefined)
    throw new NotExecuted({ reason: 'unsupported', field: obstacle.field, cause: obstacle.why });
};

/** What a paused turn has come to, which its next request continues. */
interface PausedTurn {
  readonly content: unknown[];
  /** Where its code ran, with the files that it wrote. */
  container: string | undefined;
}

const runRounds = async (run: Run): Promise<FinishReason> => {
  const { upstream, call } = run;
  const said: PausedTurn = { content: [], container: undefined };
  for (let round = 1; ; round += 1) {
    const message = await nextMessage(run, said, round);
    if (message === undefined) return 'length';
    const finish = finishOf(message);
    if (finish !== 'paused') return finish;
    said.content.push(...asArray(message['content']));
    said.container = asText(asObject(message['container'])?.['id']) ?? said.container;
    const isSpent = outputOf(run.used) >= call.outputTokensMax;
    if (round >= upstream.limits.modelRoundsMax || !run.isMeasured || isSpent) return 'length';
  }
};

/** What requests of a turn have put out, which the limit of the call bounds together. */
const outputOf = (used: Quantities): number =>
  (used.get('output_text_tokens') ?? 0) + (used.get('thought_tokens') ?? 0);

/** A further request that certainly did not run leaves what came before it: paid, and partial. */
const nextMessage = async (run: Run, said: PausedTurn, round: number): Promise<UntrustedObject | undefined> => {
  try {
    const message = await ask(run, toBody(run, said));
    takeUsage(run, message);
    return message;
  } catch (failure) {
    if (round > 1 && isNotExecuted(failure)) return undefined;
    throw failure;
  }
};

/** The body of a request, with what a paused turn has said so far. */
const toBody = ({ upstream, call, isStream, used }: Run, said: PausedTurn): JsonObject => {
  const limited = { ...call, outputTokensMax: call.outputTokensMax - outputOf(used) };
  const body = toAnthropic(limited, upstream.rulesOf(call.upstreamModel));
  const asked = { ...body, stream: isStream ? true : undefined };
  if (said.content.length === 0) return asked;
  const turn = { role: 'assistant', content: said.content };
  return { ...asked, container: said.container, messages: [...asArray(body['messages']), turn] };
};

const takeUsage = (run: Run, message: UntrustedObject): void => {
  const quantities = readMessageQuantities(message);
  if (quantities.size === 0) run.isMeasured = false;
  run.used = addQuantities(run.used, quantities);
  run.servedTier = servedOf(run, message);
  run.stream = undefined;
};

/** Requests of one answer that were served differently count as standard: what all of them had at the least. */
const servedOf = ({ servedTier }: Run, message: UntrustedObject): ServiceTier | undefined => {
  const tier = readServedTier(asObject(message['usage'])?.['service_tier']);
  if (tier === undefined || servedTier === undefined) return tier ?? servedTier;
  return tier === servedTier ? tier : 'standard';
};

const ask = async (run: Run, body: JsonObject): Promise<UntrustedObject> => {
  const { upstream, context, deadlineMs } = run;
  const answer = await send(upstream, {
    method: 'POST',
    path: 'messages',
    body: encodeJson(body),
    context,
    deadlineMs,
    openTaker: run.isStream ? () => (run.stream = openStream(run)) : undefined,
  });
  if (answer.kind === 'json') return readWhole(run, asObject(answer.json));
  const end = run.stream?.conclude();
  if (end === undefined) throw new UnknownOutcome('unreadable_answer');
  if (end.kind === 'failed') throw end.failure;
  return end.message;
};

const openStream = ({ upstream, reader, onParts, onCallPiece }: Run): AnswerStream =>
  createAnswerStream({
    reader,
    onParts,
    onCallPiece,
    bytesMax: upstream.limits.responseBytesMax,
    eventBytesMax: upstream.limits.eventBytesMax,
    apiKey: upstream.apiKey,
  });

/** A message that came in one piece, with its parts handed over. */
const readWhole = ({ upstream, reader, onParts }: Run, message: UntrustedObject | undefined): UntrustedObject => {
  const error = fromErrorInAnswer(message, false, upstream.apiKey);
  if (error !== undefined) throw error;
  if (message === undefined || !Array.isArray(message['content'])) throw new UnknownOutcome('unreadable_answer');
  const parts = wholeBlocks(message).flatMap((block) => readBlock(reader, block));
  if (parts.length > 0) onParts(parts);
  return message;
};

/** The blocks of a message. A call that was cut before its input was written has an empty one, and was never made. */
const wholeBlocks = (message: UntrustedObject): readonly UntrustedObject[] => {
  const blocks = asArray(message['content']).map((block) => asObject(block) ?? {});
  const last = blocks.at(-1);
  const isUnwritten = last?.['type'] === 'tool_use' && Object.keys(asObject(last['input']) ?? {}).length === 0;
  return isUnwritten && isCutAtLimit(message) ? blocks.slice(0, -1) : blocks;
};
