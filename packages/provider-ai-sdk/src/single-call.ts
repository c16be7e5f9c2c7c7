import type { SharedV4Warning } from '@ai-sdk/provider';
import type { CallContext, GenerationCall } from '@tollgate/provider';
import { reportWarnings, type Settings } from './ai-sdk-provider-options.ts';
import { fromCallError } from './from-sdk-error.ts';
import { callModel, type Sending } from './model-call.ts';
import type { ModelName } from './vendor.ts';

/** One call of a model that answers in one piece. */
export interface SingleCall<Model extends ModelName> {
  readonly model: Model;
  readonly call: GenerationCall;
  readonly context: CallContext;
  readonly settings: Settings;
}

interface WithWarnings {
  readonly warnings: readonly SharedV4Warning[];
}

/** Calls the model once, on the record, and hands its warnings to the host. */
export const runSingleCall = async <Answer extends WithWarnings>(
  { model, call, context, settings }: SingleCall<ModelName>,
  run: (sending: Sending) => Promise<Answer>,
): Promise<Answer> => {
  const answer = await callModel({
    context,
    now: settings.now,
    run,
    toFailure: (error) => fromCallError(error, settings.now()),
  });
  reportWarnings(settings, model, call.operationId, answer.warnings);
  return answer;
};
