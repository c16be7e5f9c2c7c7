import type { LanguageModelV4FinishReason, LanguageModelV4Usage } from '@ai-sdk/provider';
import { NotExecuted, UnknownOutcome, type FinishReason } from '@tollgate/provider';
import { fromUsage } from './from-usage.ts';
import type { Vendor } from './vendor.ts';

export interface Finish {
  readonly reason: FinishReason;
  /** False where the upstream was cut off: what it measured up to then is not the whole. */
  readonly whole: boolean;
}

const cut: Finish = { reason: 'length', whole: false };

const complete: Finish = { reason: 'stop', whole: true };

/** Names that upstreams have for ends which the AI SDK calls `other`. */
const otherFinishes: { readonly [raw: string]: Finish } = {
  eos: complete,
  eos_token: complete,
  end_turn: complete,
  stop_sequence: complete,
  tool_use: complete,
  complete,
  completed: complete,
  max_tokens: { reason: 'length', whole: true },
  model_length: { reason: 'length', whole: true },
  safety: { reason: 'content_filter', whole: true },
  refusal: { reason: 'content_filter', whole: true },
  language: { reason: 'content_filter', whole: true },
  image_prohibited_content: { reason: 'content_filter', whole: true },
  image_recitation: { reason: 'content_filter', whole: true },
  abort: cut,
  cancelled: cut,
  error: cut,
  insufficient_system_resource: cut,
};

/** Responses of Google's models that are none; they are not billed to the client. */
const malformed = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

const isMalformed = ({ raw = '' }: LanguageModelV4FinishReason, vendor: Vendor): boolean =>
  vendor === 'google' && malformed.has(raw);

/**
 * Throws `UnknownOutcome` where a generation did not come to an end: models say so instead of failing, and may have measured
 * what there was of it.
 */
export const checkEnded = (
  { finishReason, usage }: { readonly finishReason: LanguageModelV4FinishReason; readonly usage: LanguageModelV4Usage },
  vendor: Vendor,
): void => {
  if (isMalformed(finishReason, vendor)) return;
  const { unified, raw } = finishReason;
  if (unified !== 'error' && unified !== 'interrupted') return;
  throw new UnknownOutcome(unified === 'error' ? 'upstream_error' : 'interrupted', raw, fromUsage(usage, false));
};

/** What there is of an answer when it ends. */
export type AnswerSoFar = 'nothing' | 'content' | 'handed_over';

/** Unknown reasons, `OTHER` and `NO_IMAGE` of Google among them, do not say that an answer is complete. */
const fromOther = (raw: string | undefined, vendor: Vendor, soFar: AnswerSoFar): Finish => {
  if (raw === undefined) return cut;
  const named = otherFinishes[raw.toLowerCase()];
  if (named !== undefined) return named;
  return { reason: vendor === 'google' && soFar === 'nothing' ? 'content_filter' : 'length', whole: true };
};

/**
 * How a generation that came to an end ended. Throws `NotExecuted` for an answer that is none, unless something of it was
 * handed over: then it is partial, and what was measured is charged.
 */
export const fromFinish = (finish: LanguageModelV4FinishReason, vendor: Vendor, soFar: AnswerSoFar): Finish => {
  const { unified, raw } = finish;
  if (isMalformed(finish, vendor)) {
    if (soFar !== 'handed_over') throw new NotExecuted({ reason: 'failed', cause: raw });
    return { reason: 'length', whole: true };
  }
  switch (unified) {
    case 'stop':
    case 'tool-calls':
      return { reason: 'stop', whole: true };
    case 'length':
      return { reason: 'length', whole: true };
    case 'content-filter':
      return { reason: 'content_filter', whole: true };
    case 'error':
    case 'interrupted':
      return cut;
    case 'other':
      return fromOther(raw, vendor, soFar);
  }
};
