import {
  answerIdOf,
  appendText,
  asArray,
  asObject,
  asText,
  NotExecuted,
  UnknownOutcome,
  wholeText,
  type FunctionCallPart,
  type GenerationEnd,
  type JsonObject,
  type Part,
  type ServiceTier,
  type UntrustedObject,
} from '@tollgate/provider';
import { hasFindings, readAnnotations } from './annotations.ts';
import { citationsOf } from './citations.ts';
import { readFinish } from './finish-reason.ts';
import { fromGooglePart } from './from-google-part.ts';
import {
  addQuantities,
  asMeasured,
  fromGoogleUsage,
  inputTokensOf,
  outputTokensOf,
  toUsage,
  type Quantities,
} from './from-google-usage.ts';
import { startRound, type ModelRound } from './model-round.ts';
import type { ImageMeter } from './upstream.ts';

export interface AnswerOptions {
  readonly newCallId: () => string;
  readonly isStream: boolean;
  readonly imageMeter: ImageMeter;
  readonly outputTokensMax: number;
  /** Requests of one answer. */
  readonly modelRoundsMax: number;
  /** Whether the upstream searches, so that it may cite what it says. */
  readonly hasSearch: boolean;
}

/** Gathers an answer from the responses it comes in: one, the events of a stream, or several requests of either. */
export interface AnswerReader {
  readonly options: AnswerOptions;
  round: ModelRound;
  rounds: number;
  /** Sum over the requests that have ended; undefined while there is none. */
  total: Quantities | undefined;
  tools: Quantities;
  measured: boolean;
  /** Tokens that further requests read again, which the reservation has no estimate for. */
  rereadTokens: number;
  promptTokens: number;
  /** Anything to be shown. */
  content: boolean;
  /** Anything at all, thoughts included. */
  pieces: boolean;
  promptBlock: string | undefined;
  /** Characters of the visible text of the requests that have ended. */
  saidChars: number;
  annotations: UntrustedObject;
  readonly callIds: Set<string>;
  servedTier: ServiceTier | undefined;
}

export const createAnswerReader = (options: AnswerOptions): AnswerReader => ({
  options,
  round: startRound(),
  rounds: 0,
  total: undefined,
  tools: new Map(),
  measured: true,
  rereadTokens: 0,
  promptTokens: 0,
  content: false,
  pieces: false,
  promptBlock: undefined,
  saidChars: 0,
  annotations: {},
  callIds: new Set(),
  servedTier: undefined,
});

/** Reads one response, and returns the parts that it adds. Absent members are read as empty. */
export const takeResponse = (reader: AnswerReader, response: UntrustedObject): readonly Part[] => {
  const { round } = reader;
  round.begun = true;
  round.answerId ??= answerIdOf(response);
  const measured = asMeasured(response['usageMetadata']);
  if (measured !== undefined) {
    round.usage = measured;
    round.outgrown = false;
  }
  if (response['promptFeedback'] !== undefined) {
    reader.promptBlock = asText(asObject(response['promptFeedback'])?.['blockReason']) ?? reader.promptBlock;
  }
  const candidate = asObject(asArray(response['candidates'])[0]);
  if (candidate === undefined) return [];
  round.candidate = true;
  if (candidate['finishReason'] !== undefined) round.reason = asText(candidate['finishReason']) ?? round.reason;
  if (candidate['continuationToken'] !== undefined) round.token = asText(candidate['continuationToken']) ?? round.token;
  const parts = readParts(reader, candidate);
  if (parts.length > 0) noteParts(reader, parts, measured !== undefined);
  // Nearly no event of a stream has any.
  if (hasFindings(candidate)) {
    const annotations = readAnnotations(candidate);
    reader.annotations = { ...reader.annotations, ...annotations };
    round.grounding = asObject(annotations['groundingMetadata']) ?? round.grounding;
    round.tools.takeFindings(candidate);
  }
  return parts;
};

const noteParts = (reader: AnswerReader, parts: readonly Part[], measured: boolean): void => {
  const { round } = reader;
  reader.pieces = true;
  if (!measured) round.outgrown = true;
  for (const part of parts) {
    if (part.kind !== 'text') round.tools.takePart(part);
    else if (reader.options.hasSearch && part.thought !== true) appendText(round.said, part.text);
    if (part.kind !== 'text' || (part.text !== '' && part.thought !== true)) reader.content = true;
  }
};

const readParts = (reader: AnswerReader, candidate: UntrustedObject): readonly Part[] => {
  const parts: Part[] = [];
  for (const value of asArray(asObject(candidate['content'])?.['parts'])) {
    const part = fromGooglePart(value, reader.options.newCallId);
    if (part?.kind === 'function_call') parts.push(withOwnId(reader, part));
    else if (part !== undefined) parts.push(part);
  }
  return parts;
};

/** Two calls of one id could not be answered apart. */
const withOwnId = ({ callIds, options }: AnswerReader, call: FunctionCallPart): FunctionCallPart => {
  const id = callIds.has(call.id) ? options.newCallId() : call.id;
  callIds.add(id);
  return { ...call, id };
};

/** What the text of the request in hand cites, once it has come. */
export const readCitations = ({ options, round, saidChars }: AnswerReader): readonly JsonObject[] =>
  options.hasSearch && round.grounding !== undefined
    ? citationsOf(round.grounding, wholeText(round.said), saidChars)
    : [];

/** Whether anything of the request in hand has come. */
export const hasBegun = ({ round }: AnswerReader): boolean => round.begun;

/** Whether the request in hand has said how it ended. */
export const hasEnded = ({ round, promptBlock }: AnswerReader): boolean =>
  round.begun && (round.reason !== undefined || promptBlock !== undefined);

/**
 * Closes one request. Returns the token by which the answer goes on; undefined where it has ended, or has used its limits.
 * Throws `UnknownOutcome` for a stream that ended before the answer did.
 */
export const endRequest = (reader: AnswerReader): string | undefined => {
  const { round, options } = reader;
  if (options.isStream && !hasEnded(reader)) throw new UnknownOutcome('answer_cut');
  const usage = fromGoogleUsage(round.usage);
  if (usage === undefined || round.outgrown) reader.measured = false;
  if (usage !== undefined) {
    if (reader.rounds === 0) reader.promptTokens = inputTokensOf(usage);
    else reader.rereadTokens += inputTokensOf(usage);
    reader.total = addQuantities(reader.total ?? new Map(), usage);
  }
  reader.tools = addQuantities(reader.tools, round.tools.quantities());
  reader.rounds += 1;
  reader.saidChars += wholeText(round.said).length;
  if (!goesOn(reader)) return undefined;
  reader.round = startRound();
  return round.token;
};

/**
 * Whether another request may be made for this answer. It reads the prompt and all output so far again, and that has to fit
 * into what was reserved as output, beside the output itself.
 */
const goesOn = (reader: AnswerReader): boolean => {
  const { round, options, total } = reader;
  if (round.token === undefined || reader.rounds >= options.modelRoundsMax || total === undefined) return false;
  if (round.reason !== 'CONTINUATION' && (round.reason !== undefined || options.isStream)) return false;
  const spent = outputTokensOf(total);
  return spent + reader.rereadTokens + reader.promptTokens + spent < options.outputTokensMax;
};

/** How the answer ended. Throws `NotExecuted` where the upstream says that it failed. */
export const endAnswer = (reader: AnswerReader): GenerationEnd => {
  const { round, options, promptBlock, annotations, servedTier } = reader;
  const noted = Object.keys(annotations).length === 0 ? { servedTier } : { annotations, servedTier };
  if (promptBlock !== undefined) {
    return { finish: 'content_filter', usage: usageOf(reader, true), promptBlock, ...noted };
  }
  // Another request was due and did not run: the answer so far is paid for, and partial.
  if (reader.rounds > 0 && !round.begun) return { finish: 'length', usage: usageOf(reader, true), ...noted };
  // A candidate that does not say how it ended may not be whole; none at all is an answer that was withheld.
  if (round.reason === undefined) {
    const finish = round.candidate && reader.content ? 'length' : 'content_filter';
    return { finish, usage: usageOf(reader, !round.candidate), ...noted };
  }
  const read = readFinish(round.reason, reader.content);
  if (read.kind === 'failed') {
    if (!options.isStream || !reader.pieces) {
      throw new NotExecuted({ reason: 'failed', cause: { finishReason: read.reason } });
    }
    // What was handed over cannot be called not executed, and it was measured.
    return { finish: 'length', usage: usageOf(reader, true), finishDetail: read.reason, ...noted };
  }
  const detail = read.detail === undefined ? {} : { finishDetail: read.detail };
  return { finish: read.finish, usage: usageOf(reader, true), ...detail, ...noted };
};

/** What the upstream has said so far that it used: of the requests that have ended, and of the one in hand. */
export const usageAtLeast = ({ total, round }: AnswerReader): GenerationEnd['usage'] => {
  const usage = fromGoogleUsage(round.usage);
  return toUsage(usage === undefined ? (total ?? new Map()) : addQuantities(total ?? new Map(), usage), false);
};

/** Nothing for an unmeasured response; not confirmed where a part of it was not. */
const usageOf = (reader: AnswerReader, whole: boolean): GenerationEnd['usage'] => {
  if (reader.total === undefined) return [];
  const quantities = new Map(addQuantities(reader.total, reader.tools));
  // An image is metered once.
  quantities.delete(reader.options.imageMeter === 'images' ? 'output_image_tokens' : 'images');
  return toUsage(quantities, whole && reader.measured);
};
