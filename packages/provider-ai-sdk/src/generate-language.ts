import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4GenerateResult,
  SharedV4Warning,
} from '@ai-sdk/provider';
import {
  asObject,
  type CallContext,
  type Generation,
  type GenerationCall,
  type GenerationEnd,
  type OnCallPiece,
  type OnParts,
  type UpstreamIds,
} from '@tollgate/provider';
import { reportWarnings, type Settings } from './ai-sdk-provider-options.ts';
import { beforeSending } from './before-sending.ts';
import { createPartReader, type ReaderOptions } from './from-content.ts';
import { checkEnded } from './from-finish.ts';
import { fromEnding, fromResult } from './from-result.ts';
import { asLost, fromCallError, fromStreamError, type FailedCall } from './from-sdk-error.ts';
import { loadMedia } from './media-bytes.ts';
import { callModel } from './model-call.ts';
import { checkBeforehand } from './preflight.ts';
import { readStream, StreamError } from './read-stream.ts';
import { responseIdsOf } from './response-ids.ts';
import { toCallOptions } from './to-call-options.ts';

/** One call of one language model. */
export interface LanguageCall {
  readonly model: LanguageModelV4;
  readonly call: GenerationCall;
  readonly context: CallContext;
  readonly settings: Settings;
}

interface Prepared {
  readonly options: LanguageModelV4CallOptions;
  readonly reading: ReaderOptions;
  readonly onWarnings: (warnings: readonly SharedV4Warning[]) => void;
}

/** Everything that can be refused is refused here, before anything is sent. */
const prepare = async ({ model, call, settings }: LanguageCall): Promise<Prepared> => {
  const vendor = settings.vendorOf(model);
  const options = await beforeSending(async () => {
    const media = await loadMedia(call.contents, settings.mediaBytesMax);
    const written = toCallOptions(call, { vendor, media, model, builtInTool: settings.builtInTool });
    await checkBeforehand(model, written);
    return written;
  });
  return {
    options,
    reading: { vendor, showThoughts: call.thinking?.includeThoughts === true },
    onWarnings: (warnings) => reportWarnings(settings, model, call.operationId, warnings),
  };
};

/** Models of Google's take an error inside a 200 answer for an answer without content. */
const checkError = ({ content, response }: LanguageModelV4GenerateResult): void => {
  const body = asObject(response?.body);
  if (content.length === 0 && asObject(body?.['error']) !== undefined) throw new StreamError(body);
};

/** Generates with a language model, in one piece. */
export const generateLanguage = async (language: LanguageCall): Promise<Generation> => {
  const { model, context, settings } = language;
  const { options, reading, onWarnings } = await prepare(language);
  const result = await callModel({
    context,
    now: settings.now,
    run: async (sending) => {
      const answer = await model.doGenerate({ ...options, ...sending });
      checkError(answer);
      checkEnded(answer, reading.vendor);
      return answer;
    },
    toFailure: (error) =>
      error instanceof StreamError ? fromStreamError(error.cause, false) : fromCallError(error, settings.now()),
  });
  onWarnings(result.warnings);
  return fromResult(result, reading);
};

/** Generates with a language model, piece by piece. */
export const streamLanguage = async (
  language: LanguageCall,
  onParts: OnParts,
  onCallPiece?: OnCallPiece,
): Promise<GenerationEnd> => {
  const { model, context, settings } = language;
  const { options, reading, onWarnings } = await prepare(language);
  const reader = createPartReader(reading);
  const progress = { hasBegun: false, hasContent: false, handedOver: false };
  let ids: UpstreamIds = {};
  const toFailure = (error: unknown): FailedCall => {
    if (error instanceof StreamError) return fromStreamError(error.cause, progress.hasContent);
    const failed = fromCallError(error, settings.now());
    // Once the answer has begun, a connection that is lost loses the rest of it.
    return progress.hasBegun ? asLost(failed) : failed;
  };
  const ending = await callModel({
    context,
    now: settings.now,
    run: async (sending) => {
      const { stream, response } = await model.doStream({ ...options, ...sending });
      progress.hasBegun = true;
      ids = responseIdsOf({ response });
      const read = await readStream(stream, {
        reader,
        onParts: (parts) => {
          progress.handedOver = true;
          onParts(parts);
        },
        onCallPiece,
        onWarnings,
        onContent: () => {
          progress.hasContent = true;
        },
        onAnswerId: (id) => {
          ids = responseIdsOf({ response: { headers: response?.headers, id } });
        },
        signal: sending.abortSignal,
      });
      checkEnded(read, reading.vendor);
      return read;
    },
    toFailure,
    ids: () => ids,
  });
  return fromEnding(ending, reader, reading.vendor, progress.handedOver ? 'handed_over' : 'nothing');
};
