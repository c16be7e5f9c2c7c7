import {
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
import { hasAnnotations, readAnnotations } from './annotations.ts';
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

/** Gathers an answer from the responses it comes in: one, the events of a stream, or several requests of either. */
export interface AnswerReader {
  /** Reads one response, and answers the parts that it adds. Absent members are read as empty. */
  readonly take: (response: UntrustedObject) => readonly Part[];
  /**
   * Closes one request. Answers the token by which the answer goes on; undefined where it has ended, or has used its
   * limits. Throws `UnknownOutcome` for a stream that ended before the answer did.
   */
  readonly endRequest: () => string | undefined;
  /** Whether anything of the request in hand has come. */
  readonly hasBegun: () => boolean;
  /** Whether the request in hand has said how it ended. */
  readonly hasEnded: () => boolean;
  /** How the answer ended. Throws `NotExecuted` where the upstream says that it failed. */
  readonly end: () => GenerationEnd;
}

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
  /** The upstream's running total of this request, as it wrote it: the last one that can be read counts. */
  usage: UntrustedObject | undefined;
  /** Whether something of the answer came after that total, which it cannot count. */
  outgrown: boolean;
  readonly tools: ToolMeter;
}

interface Gathered {
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
  usage: undefined,
  outgrown: false,
  tools: createToolMeter(),
});

export const createAnswerReader = (options: AnswerOptions): AnswerReader => {
  const gathered: Gathered = {
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
  };
  return {
    take: (response) => take(gathered, response),
    endRequest: () => endRequest(gathered),
    hasBegun: () => gathered.hop.begun,
    hasEnded: () => hasEnded(gathered),
    end: () => end(gathered),
  };
};

const take = (gathered: Gathered, response: UntrustedObject): readonly Part[] => {
  const { hop } = gathered;
  hop.begun = true;
  const measured = asMeasured(response['usageMetadata']);
  hop.usage = measured ?? hop.usage;
  if (measured !== undefined) hop.outgrown = false;
  gathered.promptBlock = asText(asObject(response['promptFeedback'])?.['blockReason']) ?? gathered.promptBlock;
  const candidate = asObject(asArray(response['candidates'])[0]);
  if (candidate === undefined) return [];
  hop.candidate = true;
  hop.reason = asText(candidate['finishReason']) ?? hop.reason;
  hop.token = asText(candidate['continuationToken']) ?? hop.token;
  if (hasAnnotations(candidate)) gathered.annotations = { ...gathered.annotations, ...readAnnotations(candidate) };
  const parts = readParts(gathered, candidate);
  hop.outgrown ||= measured === undefined && parts.length > 0;
  gathered.pieces ||= parts.length > 0;
  gathered.content ||= parts.some((part) => part.kind !== 'text' || (part.text !== '' && part.thought !== true));
  hop.tools.take(candidate, parts);
  return parts;
};

const readParts = (gathered: Gathered, candidate: UntrustedObject): readonly Part[] => {
  const parts: Part[] = [];
  for (const value of asArray(asObject(candidate['content'])?.['parts'])) {
    const part = fromGooglePart(value, gathered.options.newCallId);
    if (part?.kind === 'function_call') parts.push(withOwnId(gathered, part));
    else if (part !== undefined) parts.push(part);
  }
  return parts;
};

/** Two calls of one id could not be answered apart. */
const withOwnId = ({ callIds, options }: Gathered, call: FunctionCallPart): FunctionCallPart => {
  const id = callIds.has(call.id) ? options.newCallId() : call.id;
  callIds.add(id);
  return { ...call, id };
};

const hasEnded = ({ hop, promptBlock }: Gathered): boolean =>
  hop.begun && (hop.reason !== undefined || promptBlock !== undefined);

const endRequest = (gathered: Gathered): string | undefined => {
  const { hop, options } = gathered;
  if (options.isStream && !hasEnded(gathered)) throw new UnknownOutcome('answer_cut');
  const usage = fromGoogleUsage(hop.usage);
  if (usage === undefined || hop.outgrown) gathered.measured = false;
  if (usage !== undefined) {
    if (gathered.hops === 0) gathered.promptTokens = inputTokensOf(usage);
    else gathered.rereadTokens += inputTokensOf(usage);
    gathered.total = addQuantities(gathered.total ?? new Map(), usage);
  }
  gathered.tools = addQuantities(gathered.tools, hop.tools.quantities());
  gathered.hops += 1;
  if (!goesOn(gathered)) return undefined;
  gathered.hop = startHop();
  return hop.token;
};

/**
 * Whether another request may be made for this answer. It reads the prompt and all output so far again, and that has to fit
 * into what was reserved as output, beside the output itself.
 */
const goesOn = (gathered: Gathered): boolean => {
  const { hop, options, total } = gathered;
  if (hop.token === undefined || gathered.hops >= options.hopsMax || total === undefined) return false;
  if (hop.reason !== 'CONTINUATION' && (hop.reason !== undefined || options.isStream)) return false;
  const spent = outputTokensOf(total);
  return spent + gathered.rereadTokens + gathered.promptTokens + spent < options.outputTokensMax;
};

const end = (gathered: Gathered): GenerationEnd => {
  const { hop, options, promptBlock, annotations } = gathered;
  const noted = Object.keys(annotations).length === 0 ? {} : { annotations };
  if (promptBlock !== undefined) {
    return { finish: 'content_filter', usage: usageOf(gathered, true), promptBlock, ...noted };
  }
  // Another request was due and did not run: the answer so far is paid for, and partial.
  if (gathered.hops > 0 && !hop.begun) return { finish: 'length', usage: usageOf(gathered, true), ...noted };
  // A candidate that does not say how it ended may not be whole; none at all is an answer that was withheld.
  if (hop.reason === undefined) {
    const finish = hop.candidate && gathered.content ? 'length' : 'content_filter';
    return { finish, usage: usageOf(gathered, !hop.candidate), ...noted };
  }
  const read = readFinish(hop.reason, gathered.content);
  if (read.kind === 'failed') {
    if (!options.isStream || !gathered.pieces) {
      throw new NotExecuted({ reason: 'failed', cause: { finishReason: read.reason } });
    }
    // What was handed over cannot be called not executed, and it was measured.
    return { finish: 'length', usage: usageOf(gathered, true), finishDetail: read.reason, ...noted };
  }
  const detail = read.detail === undefined ? {} : { finishDetail: read.detail };
  return { finish: read.finish, usage: usageOf(gathered, true), ...detail, ...noted };
};

/** Nothing for an answer that nobody measured; not confirmed where a part of it was not. */
const usageOf = (gathered: Gathered, whole: boolean): GenerationEnd['usage'] => {
  if (gathered.total === undefined) return [];
  const quantities = new Map(addQuantities(gathered.total, gathered.tools));
  // A picture is metered once.
  quantities.delete(gathered.options.pictureMeter === 'images' ? 'output_image_tokens' : 'images');
  return toUsage(quantities, whole && gathered.measured);
};
