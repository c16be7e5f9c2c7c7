import { parseChatRequest, type ChatPolicy, type ChatRequest } from '../src/chat/chat-request.ts';
import { errorTable, type ErrorCode } from '../src/http/error-code.ts';
import { isGatewayError } from '../src/http/gateway-error.ts';

export const strictPolicy: ChatPolicy = { openaiCompat: false, extraFields: [] };
export const compatPolicy: ChatPolicy = { openaiCompat: true, extraFields: [] };

export const parseStrict = (body: unknown): ChatRequest => parseChatRequest(body, strictPolicy);
export const parseCompat = (body: unknown): ChatRequest => parseChatRequest(body, compatPolicy);

export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** The refusal of a body; fails when the body is accepted or when anything but a gateway error is thrown. */
export const refusalOf = (body: unknown, policy: ChatPolicy = strictPolicy): Refusal => {
  try {
    parseChatRequest(body, policy);
  } catch (error) {
    if (!isGatewayError(error)) throw error;
    return { status: errorTable[error.code].status, code: error.code, message: error.message };
  }
  throw new Error('the body was accepted');
};

export const user = { role: 'user', content: 'Hello' } as const;

/** A body with one user message made of one part. */
export const withPart = (part: unknown): unknown => ({ messages: [{ role: 'user', content: [part] }] });
