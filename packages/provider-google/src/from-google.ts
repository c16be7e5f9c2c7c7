import {
  answerIdOf,
  asArray,
  asObject,
  asText,
  NotExecuted,
  UnknownOutcome,
  type FunctionCallPart,
  type GenerationEnd,
  type Part,
  type UntrustedObject,
} from '@tollgate/provider';
import { hasFindings, readAnnotations } from './annotations.ts';
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
import { createToolMeter, type ToolMeter } from './tool-meter.ts';
import type { PictureMeter } from './upstream.ts';

export interface AnswerOptions {
  readonly newCallId: () => string;
  readonly isStream: boolean;
  readonly pictureMeter: PictureMeter;
  readonly outputTokensMax: number;
  /** Requests of one answer. */
  readonly hopsMax: number;
}

/** What one request has told so far. */
interface Hop {
  begun: boolean;
  candidate: boolean;
  reason: string | undefined;
  token: string | undefined;
  /** What the upstream calls this answer. */
  answerId: string | undefined;
  /** The upstream's running total of this request, as it wrote it: the last one that can be read counts. */
  usage: UntrustedObject | undefined;
  /** Whether something of the answer came after that total, which it cannot count. */
  outgrown: boolean;
  readonly tools: ToolMeter;
}

/** Gathers an answer from the responses it comes in: one, the events of a stream, or several requests of either. */
export interface AnswerReader {
  readonly options: AnswerOptions;
  hop: Hop;
  hops: number;
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
  annotations: UntrustedObject;
  readonly callIds: Set<string>;
}

const startHop = (): Hop => ({
  begun: false,
  candidate: false,
  reason: undefined,
  token: undefined,
  answerId: undefined,
  usage: undefined,
  outgrown: false,
  tools: createToolMeter(),
});

export const createAnswerReader = (options: AnswerOptions): AnswerReader => ({
  options,
  hop: startHop(),
  hops: 0,
  total: undefined,
  tools: new Map(),
  measured: true,
  rereadTokens: 0,
  promptTokens: 0,
  content: false,
  pieces: false,
  promptBlock: undefined,
  annotations: {},
  callIds: new Set(),
});

/** Reads one response, and answers the parts that it adds. Absent members are read as empty. */
export const takeResponse = (reader: AnswerReader, response: UntrustedObject): readonly Part[] => {
  const { hop } = reader;
  hop.begun = true;
  hop.answerId ??= answerIdOf(response);
  const measured = asMeasured(response['usageMetadata']);
  if (measured !== undefined) {
    hop.usage = measured;
    hop.outgrown = false;
  }
  if (response['promptFeedback'] !== undefined) {
    reader.promptBlock = asText(asObject(response['promptFeedback'])?.['blockReason']) ?? reader.promptBlock;
  }
  const candidate = asObject(asArray(response['candidates'])[0]);
  if (candidate === undefined) return [];
  hop.candidate = true;
  if (candidate['finishReason'] !== undefined) hop.reason = asText(candidate['finishReason']) ?? hop.reason;
  if (candidate['continuationToken'] !== undefined) hop.token = asText(candidate['continuationToken']) ?? hop.token;
  const parts = readParts(reader, candidate);
  if (parts.length > 0) noteParts(reader, parts, measured !== undefined);
  // Nearly no event of a stream has any.
  if (hasFindings(candidate)) {
    reader.annotations = { ...reader.annotations, ...readAnnotations(candidate) };
    hop.tools.takeFindings(candidate);
  }
  return parts;
};

const noteParts = (reader: AnswerReader, parts: readonly Part[], measured: boolean): void => {
  const { hop } = reader;
  reader.pieces = true;
  if (!measured) hop.outgrown = true;
  for (const part of parts) {
    if (part.kind !== 'text') hop.tools.takePart(part);
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

/** Whether anything of the request in hand has come. */
export const hasBegun = ({ hop }: AnswerReader): boolean => hop.begun;

/** Whether the request in hand has said how it ended. */
export const hasEnded = ({ hop, promptBlock }: AnswerReader): boolean =>
  hop.begun && (hop.reason !== undefined || promptBlock !== undefined);

/**
 * Closes one request. Answers the token by which the answer goes on; undefined where it has ended, or has used its limits.
 * Throws `UnknownOutcome` for a stream that ended before the answer did.
 */
export const endRequest = (reader: AnswerReader): string | undefined => {
  const { hop, options } = reader;
  if (options.isStream && !hasEnded(reader)) throw new UnknownOutcome('answer_cut');
  const usage = fromGoogleUsage(hop.usage);
  if (usage === undefined || hop.outgrown) reader.measured = false;
  if (usage !== undefined) {
    if (reader.hops === 0) reader.promptTokens = inputTokensOf(usage);
    else reader.rereadTokens += inputTokensOf(usage);
    reader.total = addQuantities(reader.total ?? new Map(), usage);
  }
  reader.tools = addQuantities(reader.tools, hop.tools.quantities());
  reader.hops += 1;
  if (!goesOn(reader)) return undefined;
  reader.hop = startHop();
  return hop.token;
};

/**
 * Whether another request may be made for this answer. It reads the prompt and all output so far again, and that has to fit
 * into what was reserved as output, beside the output itself.
 */
const goesOn = (reader: AnswerReader): boolean => {
  const { hop, options, total } = reader;
  if (hop.token === undefined || reader.hops >= options.hopsMax || total === undefined) return false;
  if (hop.reason !== 'CONTINUATION' && (hop.reason !== undefined || options.isStream)) return false;
  const spent = outputTokensOf(total);
  return spent + reader.rereadTokens + reader.promptTokens + spent < options.outputTokensMax;
};

/** How the answer ended. Throws `NotExecuted` where the upstream says that it failed. */
export const endAnswer = (reader: AnswerReader): GenerationEnd => {
  const { hop, options, promptBlock, annotations } = reader;
  const noted = Object.keys(annotations).length === 0 ? {} : { annotations };
  if (promptBlock !== undefined) {
    return { finish: 'content_filter', usage: usageOf(reader, true), promptBlock, ...noted };
  }
  // Another request was due and did not run: the answer so far is paid for, and partial.
  if (reader.hops > 0 && !hop.begun) return { finish: 'length', usage: usageOf(reader, true), ...noted };
  // A candidate that does not say how it ended may not be whole; none at all is an answer that was withheld.
  if (hop.reason === undefined) {
    const finish = hop.candidate && reader.content ? 'length' : 'content_filter';
    return { finish, usage: usageOf(reader, !hop.candidate), ...noted };
  }
  const read = readFinish(hop.reason, reader.content);
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
export const usageAtLeast = ({ total, hop }: AnswerReader): GenerationEnd['usage'] => {
  const usage = fromGoogleUsage(hop.usage);
  return toUsage(usage === undefined ? (total ?? new Map()) : addQuantities(total ?? new Map(), usage), false);
};

/** Nothing for an answer that nobody measured; not confirmed where a part of it was not. */
const usageOf = (reader: AnswerReader, whole: boolean): GenerationEnd['usage'] => {
  if (reader.total === undefined) return [];
  const quantities = new Map(addQuantities(reader.total, reader.tools));
  // A picture is metered once.
  quantities.delete(reader.options.pictureMeter === 'images' ? 'output_image_tokens' : 'images');
  return toUsage(quantities, whole && reader.measured);
};
