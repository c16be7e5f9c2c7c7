import { expect, test } from 'vitest';
import {
  errorTable,
  firstRoundErrorCodes,
  hostErrorCodes,
  secondRoundErrorCodes,
  specErrorCodes,
} from './error-code.ts';

const statusByCode = {
  invalid_json: 400,
  invalid_api_key: 401,
  ai_key_inactive: 401,
  ai_key_expired: 401,
  ai_insufficient_credits: 402,
  ai_contract_inactive: 402,
  ai_key_budget_exceeded: 402,
  project_paused: 403,
  access_blocked: 403,
  model_not_allowed: 403,
  request_refused: 403,
  token_not_allowed: 403,
  not_found: 404,
  method_not_allowed: 405,
  request_in_progress: 409,
  ai_idempotency_conflict: 409,
  previous_request_failed: 409,
  settlement_pending: 409,
  result_expired: 409,
  body_too_large: 413,
  range_not_satisfiable: 416,
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
  model_key_mismatch: 422,
  model_incompatible: 422,
  invalid_request: 422,
  rate_limited: 429,
  quota_exceeded: 429,
  request_cancelled: 499,
  request_failed: 502,
  service_unavailable: 503,
  access_or_service_unavailable: 503,
};

test('gives every code one fixed status [errors:code:status-table]', () => {
  const statuses = Object.fromEntries(Object.entries(errorTable).map(([code, { status }]) => [code, status]));
  expect(statuses).toEqual(statusByCode);
});

test('knows the codes of the spec and the four of the first round, and names the second round apart [errors:code:extra-codes]', () => {
  expect(specErrorCodes).toHaveLength(27);
  expect([...firstRoundErrorCodes].toSorted()).toEqual([
    'model_incompatible',
    'not_found',
    'rate_limited',
    'request_cancelled',
  ]);
  const listed = [...specErrorCodes, ...firstRoundErrorCodes, ...secondRoundErrorCodes, ...hostErrorCodes];
  expect(listed.toSorted()).toEqual(Object.keys(errorTable).toSorted());
});

test('returns the first-round codes only with the documented statuses [errors:status:vocabulary]', () => {
  const vocabulary = new Set([400, 401, 402, 403, 404, 409, 413, 422, 429, 499, 502, 503]);
  for (const code of [...specErrorCodes, ...firstRoundErrorCodes]) {
    expect(vocabulary.has(errorTable[code].status), code).toBe(true);
  }
  const added = secondRoundErrorCodes
    .map((code) => errorTable[code].status)
    .filter((status) => !vocabulary.has(status));
  expect(added).toEqual([405, 416]);
});

test('makes a model mismatch 422, which client libraries do not retry [errors:code:mismatch-is-422]', () => {
  expect(errorTable.model_key_mismatch.status).toBe(422);
});

test('responds to a blocked access with 403 access_blocked [errors:code:access-blocked]', () => {
  expect(errorTable.access_blocked.status).toBe(403);
});

test('responds to a missing price list with 503 access_or_service_unavailable [errors:code:access-or-service-unavailable]', () => {
  expect(errorTable.access_or_service_unavailable.status).toBe(503);
});

test('responds to an input that is too large with 422 input_limit [errors:code:input-limit]', () => {
  expect(errorTable.input_limit.status).toBe(422);
});

test('responds to a value without a code of its own with 422 invalid_request', () => {
  expect(errorTable.invalid_request.status).toBe(422);
});

test('responds to a model on a route that does not serve it with 422 model_incompatible', () => {
  expect(errorTable.model_incompatible.status).toBe(422);
});

test('responds to a field outside the contract with 422 unsupported_parameter [errors:code:unsupported-parameter]', () => {
  expect(errorTable.unsupported_parameter.status).toBe(422);
});

test('writes every message as a neutral sentence of its own', () => {
  for (const { message } of Object.values(errorTable)) {
    expect(message).toMatch(/^[A-Z a-z_].*\.$/);
    expect(message).not.toMatch(/gemini|google|openai|gpt|anthropic|claude|gemma|veo|lyria|imagen/i);
  }
});

test('warns in the conflict message that tool loops reuse one key', () => {
  expect(errorTable.ai_idempotency_conflict.message).toContain('tool loop');
});
