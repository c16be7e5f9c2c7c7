// Which error codes a route can return, and what each says of a repeat.
import { errorTable, type ErrorCode, type Route } from '@tollgate/contract';
import { repeatHeaders } from '../../packages/routes/src/repeat-advice.ts';

/** What every route can return, whatever is asked. */
export const commonCodes: readonly ErrorCode[] = [
  'invalid_api_key',
  'ai_key_inactive',
  'ai_key_expired',
  'ai_contract_inactive',
  'project_paused',
  'access_blocked',
  'token_not_allowed',
  'rate_limited',
  'service_unavailable',
  'access_or_service_unavailable',
];

const ofBodies: readonly ErrorCode[] = [
  'invalid_json',
  'body_too_large',
  'unsupported_content',
  'unsupported_parameter',
  'invalid_request',
];

const ofCharged: readonly ErrorCode[] = [
  'ai_insufficient_credits',
  'ai_key_budget_exceeded',
  'model_not_allowed',
  'request_refused',
  'not_found',
  'request_in_progress',
  'input_limit',
  'model_key_mismatch',
  'model_incompatible',
];

const ofIdentity: readonly ErrorCode[] = [
  'ai_idempotency_conflict',
  'previous_request_failed',
  'settlement_pending',
  'result_expired',
  'invalid_idempotency_key',
];

/** Of routes that wait for the model. */
const ofGenerations: readonly ErrorCode[] = ['request_cancelled', 'request_failed'];

const ofChat: readonly ErrorCode[] = [
  'invalid_messages',
  'missing_user_message',
  'invalid_role',
  'empty_message',
  'invalid_image',
  'invalid_temperature',
  'invalid_stream',
  'invalid_stream_options',
];

const ofContent: readonly ErrorCode[] = [
  'request_in_progress',
  'previous_request_failed',
  'settlement_pending',
  'range_not_satisfiable',
  'invalid_request',
];

const isCreation = ({ id, takesIdentity }: Route): boolean =>
  takesIdentity
    ? !['chat', 'generate', 'embed'].some((word) => id.toLowerCase().includes(word))
    : id.startsWith('create');

const groupsOf = (route: Route): readonly (readonly ErrorCode[])[] => [
  route.request === null ? [] : ofBodies,
  route.charged ? ofCharged : [],
  route.takesIdentity ? ofIdentity : [],
  route.charged && !isCreation(route) ? ofGenerations : [],
  route.id === 'createChatCompletion' ? ofChat : [],
  route.id.endsWith('Content') && route.method === 'GET' ? ofContent : [],
  isCreation(route) ? ['quota_exceeded'] : [],
  route.pathParameters === null ? [] : ['not_found'],
  route.method === 'DELETE' || route.id.startsWith('cancel') ? ['request_in_progress'] : [],
  route.id === 'patchCache' ? ['ai_insufficient_credits', 'request_in_progress'] : [],
  route.queryParameters === undefined ? [] : ['invalid_request'],
];

/** The codes of one route beside the common ones, by status. */
export const ownCodesOf = (route: Route): readonly ErrorCode[] => {
  const codes = new Set(groupsOf(route).flat());
  return [...codes]
    .filter((code) => route.statuses.includes(errorTable[code].status))
    .toSorted((a, b) => errorTable[a].status - errorTable[b].status);
};

const adviceOf = (code: ErrorCode, isRegistered: boolean): string =>
  repeatHeaders({ code, isRegistered, isIdentified: false, retryAfterMs: undefined })['x-should-retry'] ?? 'unsaid';

/** What the gateway advises for an error that names an operation, and for one that names none. */
const retries: Readonly<Record<string, string>> = {
  'unsaid unsaid': 'no: it fails again',
  'false unsaid': 'no: query the request by its id first',
  'false true': 'wait, and repeat with the same `Idempotency-Key`',
  'true true': 'yes, after `Retry-After`',
  'false false': 'no: make room first',
};

/** When to send the same request again. Throws where the advice of a code has no sentence. */
export const retryOf = (code: ErrorCode): string => {
  const advice = `${adviceOf(code, true)} ${adviceOf(code, false)}`;
  const sentence = retries[advice];
  if (sentence === undefined) throw new Error(`no sentence for the advice ${advice} of ${code}`);
  return sentence;
};

/** Where a code is explained on the page of troubleshooting. */
const sections: readonly (readonly [string, readonly RegExp[]])[] = [
  ['access', [/^invalid_api_key$/, /^ai_key_(?:in|exp)/, /^ai_contract/, /^project_/, /_not_allowed$/, /^access_b/]],
  ['access', [/^request_refused$/]],
  ['credits-and-limits', [/credits$/, /budget/, /^rate_/, /^quota_/]],
  ['idempotency-and-outcomes', [/^request_(?:in|can|fai)/, /conflict$/, /^previous_/, /^settlement_/, /^result_/]],
  ['the-service', [/service_unavailable$/]],
];

/** The heading of the page of troubleshooting that has the code. */
export const sectionOf = (code: ErrorCode): string => {
  if (code === 'method_not_allowed') return 'the-request';
  return sections.find(([, shapes]) => shapes.some((shape) => shape.test(code)))?.[0] ?? 'the-request';
};
