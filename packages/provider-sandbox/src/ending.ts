import type { FinishReason } from '@tollgate/provider';

/** Why a prompt can be refused, as the upstream family spells it. */
export const blockReasons: ReadonlySet<string> = new Set([
  'SAFETY',
  'OTHER',
  'BLOCKLIST',
  'PROHIBITED_CONTENT',
  'IMAGE_SAFETY',
]);

/** The finer reasons for the end of an answer, and what they come to. A refusal leaves no answer. */
export const finishDetails: ReadonlyMap<string, FinishReason> = new Map([
  ['STOP', 'stop'],
  ['MAX_TOKENS', 'length'],
  ['SAFETY', 'content_filter'],
  ['RECITATION', 'content_filter'],
  ['BLOCKLIST', 'content_filter'],
  ['PROHIBITED_CONTENT', 'content_filter'],
  ['SPII', 'content_filter'],
  ['IMAGE_SAFETY', 'content_filter'],
  ['IMAGE_PROHIBITED_CONTENT', 'content_filter'],
  ['IMAGE_RECITATION', 'content_filter'],
  ['LANGUAGE', 'stop'],
  ['OTHER', 'stop'],
  ['NO_IMAGE', 'stop'],
  ['IMAGE_OTHER', 'stop'],
]);
