// errors:code:status-table
/** The codes of the contract's own table. */
export const specErrorCodes = [
  'invalid_json',
  'body_too_large',
  'invalid_messages',
  'missing_user_message',
  'invalid_role',
  'empty_message',
  'unsupported_content',
  'invalid_image',
  'unsupported_parameter',
  'invalid_temperature',
  'invalid_stream',
  'invalid_stream_options',
  'invalid_idempotency_key',
  'input_limit',
  'invalid_api_key',
  'project_paused',
  'ai_key_inactive',
  'ai_insufficient_credits',
  'ai_contract_inactive',
  'request_in_progress',
  'ai_idempotency_conflict',
  'previous_request_failed',
  'settlement_pending',
  'model_key_mismatch',
  'service_unavailable',
  'request_failed',
  'access_or_service_unavailable',
] as const;

// errors:code:extra-codes
/** Codes that the first round of decisions added. */
export const firstRoundErrorCodes = ['not_found', 'rate_limited', 'request_cancelled', 'model_incompatible'] as const;

/** Codes of what a host decides: a hook that refuses in its own words, and keys that end, that may call some models, or that may spend so much. */
export const hostErrorCodes = [
  'request_refused',
  'ai_key_expired',
  'model_not_allowed',
  'ai_key_budget_exceeded',
  'token_not_allowed',
] as const;

/** Codes that the second round of decisions added, with the two statuses 405 and 416. */
export const secondRoundErrorCodes = [
  'access_blocked',
  'invalid_request',
  'result_expired',
  'method_not_allowed',
  'range_not_satisfiable',
  'quota_exceeded',
] as const;

export type ErrorCode =
  | (typeof specErrorCodes)[number]
  | (typeof firstRoundErrorCodes)[number]
  | (typeof secondRoundErrorCodes)[number]
  | (typeof hostErrorCodes)[number];

export interface ErrorRow {
  readonly status: number;
  /** The sentence a client sees unless the error brings a more exact one. Never upstream text. */
  readonly message: string;
}

const row = (status: number, message: string): ErrorRow => Object.freeze({ status, message });

// errors:code:status-table
/** One HTTP status and one neutral message per code. */
export const errorTable: Readonly<Record<ErrorCode, ErrorRow>> = Object.freeze({
  invalid_json: row(400, 'The body is not valid JSON.'),
  invalid_api_key: row(401, 'The API key is missing, wrong or revoked.'),
  ai_key_inactive: row(401, 'The API key is switched off.'),
  ai_key_expired: row(401, 'The API key has expired.'),
  ai_insufficient_credits: row(402, 'The available balance does not cover the estimate; reservations count as used.'),
  ai_key_budget_exceeded: row(402, 'The API key may not spend as much as the estimate; reservations count as spent.'),
  ai_contract_inactive: row(402, 'The account has no active access.'),
  project_paused: row(403, 'The project is paused.'),
  model_not_allowed: row(403, 'The API key may not call this model.'),
  token_not_allowed: row(403, 'The token may not be used for this request.'),
  access_blocked: row(403, 'Access is blocked for this project or key.'),
  request_refused: row(403, 'The host of this service refuses the request.'),
  not_found: row(404, 'Not found in this project.'),
  method_not_allowed: row(405, 'This path does not answer that method; see the Allow header.'),
  request_in_progress: row(
    409,
    'This request, or a file or resource that it names, is still being processed; wait, or query it by its id.',
  ),
  ai_idempotency_conflict: row(
    409,
    'This Idempotency-Key was already used with a different body. Recover with the original body, or send a new key. ' +
      'Client libraries that run a tool loop reuse one key for every step: each step needs a key of its own.',
  ),
  previous_request_failed: row(409, 'The earlier attempt failed; fix its cause and use a new Idempotency-Key.'),
  settlement_pending: row(409, 'The consumption is not confirmed yet; query the request by its id.'),
  result_expired: row(409, 'The request was completed, and no stored response of it is kept any more.'),
  body_too_large: row(413, 'The body is larger than this route accepts.'),
  range_not_satisfiable: row(416, 'The requested range cannot be met.'),
  invalid_messages: row(422, 'The messages list is not valid.'),
  missing_user_message: row(422, 'At least one message must have the role user.'),
  invalid_role: row(422, 'A message has a role other than system, user, assistant and tool.'),
  empty_message: row(422, 'A message has no text.'),
  unsupported_content: row(422, 'The content is of a kind that is not supported.'),
  invalid_image: row(422, 'An image must be a complete PNG, JPEG or WebP data URL.'),
  unsupported_parameter: row(
    422,
    'A field of the body, or its value, is not supported by this route or by the upstream.',
  ),
  invalid_temperature: row(422, 'temperature must be a number from 0 to 2.'),
  invalid_stream: row(422, 'stream must be true or false.'),
  invalid_stream_options: row(422, 'stream_options takes the boolean include_usage and needs stream to be true.'),
  invalid_idempotency_key: row(422, 'Idempotency-Key must be 1 to 128 printable ASCII characters without spaces.'),
  input_limit: row(422, 'The input is too large; reduce the context or the image.'),
  model_key_mismatch: row(422, 'The key is bound to another model.'),
  model_incompatible: row(422, 'The model does not serve this route or tool.'),
  invalid_request: row(422, 'The body holds a value that is not valid.'),
  rate_limited: row(429, 'Too many requests; wait before the next one.'),
  quota_exceeded: row(429, 'A quota of the project does not allow it; delete what is not needed any more.'),
  request_cancelled: row(499, 'The request was cancelled before it was executed.'),
  request_failed: row(
    502,
    'The execution was not completed, or its outcome is unknown; query the request before repeating it.',
  ),
  service_unavailable: row(
    503,
    'The service is temporarily unavailable. Repeat the request if x-should-retry is true; otherwise query it by its id first.',
  ),
  access_or_service_unavailable: row(
    503,
    'The access or the service is unavailable; check the state before repeating.',
  ),
});

/** Whether a text, such as one that was stored, is the code of an error. */
export const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);
