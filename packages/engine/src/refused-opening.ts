import type { ErrorCode } from '@tollgate/contract';
import type { OpenAnswer } from './decisions/open.ts';

/** An opening that registered nothing. */
export type RefusedOpening = Extract<OpenAnswer, { readonly kind: 'refused' | 'insufficient' | 'conflict' }>;

/** What a client is told of it; the id is of the operation that has the identity already, under another body. */
export const toldOfRefusal = (
  answer: RefusedOpening,
): { readonly kind: 'refused'; readonly code: ErrorCode; readonly requestId: string | null } => {
  switch (answer.kind) {
    case 'refused':
      return { kind: 'refused', code: answer.code, requestId: null };
    case 'insufficient':
      return { kind: 'refused', code: 'ai_insufficient_credits', requestId: null };
    case 'conflict':
      return { kind: 'refused', code: 'ai_idempotency_conflict', requestId: answer.operationId };
  }
};
