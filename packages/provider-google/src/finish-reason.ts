import type { FinishReason } from '@tollgate/provider';

/** What an upstream's reason for ending means. */
export type Finish =
  | { readonly kind: 'ended'; readonly finish: FinishReason; readonly detail?: string }
  /** The upstream says that it failed: no answer, and nothing is charged. */
  | { readonly kind: 'failed'; readonly reason: string };

const partial = new Set(['MAX_TOKENS', 'CONTINUATION']);
const refused = new Set([
  'SAFETY',
  'RECITATION',
  'LANGUAGE',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'SPII',
  'IMAGE_SAFETY',
  'IMAGE_PROHIBITED_CONTENT',
  'IMAGE_RECITATION',
]);
const failed = new Set([
  'MALFORMED_FUNCTION_CALL',
  'MALFORMED_RESPONSE',
  'UNEXPECTED_TOOL_CALL',
  'TOO_MANY_TOOL_CALLS',
]);

/**
 * Reads a finish reason. An unknown one (and `OTHER`, `NO_IMAGE`, `IMAGE_OTHER`) does not say that the answer is
 * complete: it is partial where there is something of it, and refused where there is nothing.
 */
export const readFinish = (reason: string, hasContent: boolean): Finish => {
  if (reason === 'STOP') return { kind: 'ended', finish: 'stop' };
  if (partial.has(reason)) return { kind: 'ended', finish: 'length' };
  if (failed.has(reason)) return { kind: 'failed', reason };
  const finish = refused.has(reason) || !hasContent ? 'content_filter' : 'length';
  return { kind: 'ended', finish, ...(/^[A-Z][A-Z_]{0,63}$/.test(reason) ? { detail: reason } : {}) };
};
