import type { ErrorCode } from '@tollgate/contract';
import { present } from './present.ts';

/**
 * What an error says of sending the same request again. `later`: nothing ran, and it may succeed. `never`: it was registered, so a
 * repeat is another operation, or is refused. `unsaid`: the same request fails in the same way.
 */
export type RepeatAdvice = 'later' | 'never' | 'unsaid';

interface AdviceRow {
  /** For an error that names an operation. */
  readonly registered: RepeatAdvice;
  readonly unregistered: RepeatAdvice;
}

/** The request itself is at fault, from any client at any time. */
const atFault: AdviceRow = { registered: 'unsaid', unregistered: 'unsaid' };
// errors:compat:should-retry
/** Its identity is taken, or its outcome is not known: a repeat may be a second paid operation. */
const decided: AdviceRow = { registered: 'never', unregistered: 'unsaid' };
/** Certainly nothing ran. */
const nothingRan: AdviceRow = { registered: 'later', unregistered: 'later' };

/** One row for each code; the type demands it. */
const adviceTable: Readonly<Record<ErrorCode, AdviceRow>> = {
  invalid_json: atFault,
  body_too_large: atFault,
  invalid_messages: atFault,
  missing_user_message: atFault,
  invalid_role: atFault,
  empty_message: atFault,
  unsupported_content: atFault,
  invalid_image: atFault,
  unsupported_parameter: atFault,
  invalid_temperature: atFault,
  invalid_stream: atFault,
  invalid_stream_options: atFault,
  invalid_idempotency_key: atFault,
  input_limit: atFault,
  invalid_api_key: atFault,
  project_paused: atFault,
  ai_key_inactive: atFault,
  ai_key_expired: atFault,
  ai_key_budget_exceeded: atFault,
  model_not_allowed: atFault,
  token_not_allowed: atFault,
  ai_insufficient_credits: atFault,
  ai_contract_inactive: atFault,
  // Unregistered, it is a file or resource that is still being processed or used.
  request_in_progress: { registered: 'never', unregistered: 'later' },
  ai_idempotency_conflict: decided,
  previous_request_failed: decided,
  settlement_pending: decided,
  model_key_mismatch: atFault,
  service_unavailable: nothingRan,
  // The upstream said that it failed, or said nothing: then the outcome is uncertain.
  request_failed: decided,
  access_or_service_unavailable: nothingRan,
  not_found: atFault,
  rate_limited: nothingRan,
  request_cancelled: atFault,
  model_incompatible: atFault,
  access_blocked: atFault,
  request_refused: atFault,
  invalid_request: atFault,
  result_expired: decided,
  method_not_allowed: atFault,
  range_not_satisfiable: atFault,
  // As long as nothing is deleted, a repeat is refused in the same way, and client libraries repeat every 429 that does not say so.
  quota_exceeded: { registered: 'never', unregistered: 'never' },
};

/** Where nothing ran and no time is known, in milliseconds. */
const retryAfterMsDefault = 1_000;

/** An error as far as a repeat depends on it. */
export interface ToldFailure {
  readonly code: ErrorCode;
  readonly isRegistered: boolean;
  /** Whether the request brought an Idempotency-Key. */
  readonly isIdentified: boolean;
  readonly retryAfterMs: number | undefined;
}

/**
 * `retry-after`, for a limit also in milliseconds, and `x-should-retry`, which never contradict each other. A request with an Idempotency-Key whose operation failed
 * would be repeated under that key, and refused for it: it is advised not to, although nothing ran.
 */
export const repeatHeaders = (failure: ToldFailure): Readonly<Record<string, string>> => {
  const { code, isRegistered, isIdentified, retryAfterMs = retryAfterMsDefault } = failure;
  const advice = adviceTable[code][isRegistered ? 'registered' : 'unregistered'];
  if (advice === 'unsaid') return {};
  if (advice === 'never' || (isRegistered && isIdentified)) return { 'x-should-retry': 'false' };
  return {
    'retry-after': String(Math.max(1, Math.ceil(retryAfterMs / 1_000))),
    // Whole seconds are a long wait for a limit that frees a place every few milliseconds.
    ...present('retry-after-ms', code === 'rate_limited' ? String(Math.max(1, Math.ceil(retryAfterMs))) : null),
    'x-should-retry': 'true',
  };
};
