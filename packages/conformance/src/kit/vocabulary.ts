/** The codes of errors, each with its one status. The last lines are those that a host may add. */
export const errorStatuses: Readonly<Record<string, number>> = {
  invalid_json: 400,
  body_too_large: 413,
  invalid_messages: 422,
  missing_user_message: 422,
  invalid_role: 422,
  empty_message: 422,
  unsupported_content: 422,
  invalid_image: 422,
  unsupported_parameter: 422,
  invalid_temperature: 422,
  invalid_stream: 422,
  invalid_stream_options: 422,
  invalid_idempotency_key: 422,
  input_limit: 422,
  invalid_api_key: 401,
  project_paused: 403,
  ai_key_inactive: 401,
  ai_insufficient_credits: 402,
  ai_contract_inactive: 402,
  request_in_progress: 409,
  ai_idempotency_conflict: 409,
  previous_request_failed: 409,
  settlement_pending: 409,
  model_key_mismatch: 422,
  service_unavailable: 503,
  request_failed: 502,
  access_or_service_unavailable: 503,
  not_found: 404,
  rate_limited: 429,
  request_cancelled: 499,
  model_incompatible: 422,
  access_blocked: 403,
  invalid_request: 422,
  result_expired: 409,
  quota_exceeded: 429,
  method_not_allowed: 405,
  range_not_satisfiable: 416,
  request_refused: 403,
  ai_key_expired: 401,
  model_not_allowed: 403,
  ai_key_budget_exceeded: 402,
  token_not_allowed: 403,
};

export const errorStatusSet: ReadonlySet<number> = new Set([
  400, 401, 402, 403, 404, 405, 409, 413, 416, 422, 429, 499, 502, 503,
]);

const work = ['preparing', 'reserved', 'processing', 'settling', 'uncertain', 'failed', 'deleted'];
const kept = [...work, 'active', 'expired'];

/** The states that a record of a type may show. */
export const statesOf: Readonly<Record<string, ReadonlySet<string>>> = {
  file: new Set(['processing', 'active', 'failed', 'expired', 'deleted']),
  cache: new Set(kept),
  batch: new Set([...work, 'cancelling', 'completed']),
  video: new Set([...work, 'completed', 'expired']),
  store: new Set(['preparing', 'active', 'failed', 'deleted']),
  agent: new Set(['preparing', 'active', 'failed', 'deleted']),
  document: new Set([...work, 'completed']),
  interaction: new Set([...work, 'cancelling', 'completed', 'requires_action']),
  environment: new Set(kept),
};

export const requestStates: ReadonlySet<string> = new Set([
  'preparing',
  'reserved',
  'processing',
  'completed',
  'uncertain',
  'failed',
]);

/** Names of upstreams, which no identifier may have. */
export const upstreamWords = /google|gemini|openai|gpt|anthropic|claude|vertex|deepmind/iu;

export const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/u;
