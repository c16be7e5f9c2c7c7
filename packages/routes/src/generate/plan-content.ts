import type { PlannedAnswer } from '@tollgate/engine';
import { generationParts, type Generation } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import { contentEnding, type ContentEnding } from './content-ending.ts';
import { toWireParts } from './to-wire-parts.ts';

/** The members of an answer that hold its content. */
export const contentMembers = (parts: readonly object[], ending: ContentEnding): object =>
  ending.kind === 'blocked'
    ? { promptFeedback: { blockReason: ending.blockReason } }
    : { candidates: [{ content: { role: 'model', parts }, ...ending.closing, index: 0 }] };

// generate:response:*
/** What is stored of a generation: the content response without its credits, which the debit adds. */
export const planContent = (generation: Generation, operation: OperationRecord): PlannedAnswer => {
  const { parts, malformed } = toWireParts(generationParts(generation));
  const body = JSON.stringify({
    ...contentMembers(parts, contentEnding(generation, malformed)),
    modelVersion: operation.model,
    responseId: operation.id,
  });
  return { body, toolContexts: [] };
};
