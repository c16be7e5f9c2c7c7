import assert from 'node:assert/strict';
import { errorTable, statesByKind, type ErrorCode } from '@tollgate/contract';
import { jsonOf, uuidPattern, type Answer, type Json } from './answer.ts';

// errors:status:vocabulary
/** Statuses of errors in the contract, with those that the decisions added. */
const errorStatuses = new Set([400, 401, 402, 403, 404, 405, 409, 413, 422, 429, 499, 502, 503]);
// versioning:neutral-names
/** Words of the upstreams' vendors, which nothing on the wire may hold. */
export const vendorWords = /gemini|gemma|google|vertex|openai|gpt|anthropic|claude|mistral|llama|xai|grok|deepseek/i;
/** What is sealed, secret, a digest or a place in a list looks random, and may spell any short word. */
const sealedText =
  /"(?:context|signature|encrypted_content|signing_secret|access_key|sha256Hash|next|next_cursor)":"[\w+/=-]*"/g;
/** A message repeats the name of a field that only the client knows, and a short word that it sent. */
const namedField = /The field [^ "]+|\bis \\"[\w.:-]{1,24}\\"/g;
// errors:format:string
/** Paths whose errors are a plain message, those of one dialect among them. */
const textPaths = /^\/(?:models|models\/(?:[^/%:]|%[\da-fA-F]{2})+|requests\/(?:[^/%]|%[\da-fA-F]{2})+|api\/[a-z]+)$/;
const retriedByClients = new Set([409, 502]);

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

// errors:compat:should-retry
/** Clients are advised not to repeat what may be paid twice, and never when to repeat what they must not. */
const sweepAdvice = ({ status, headers, text }: Answer, isRegistered: boolean): void => {
  const advice = headers.get('x-should-retry');
  if (isRegistered && retriedByClients.has(status)) assert.equal(advice, 'false');
  assert.equal(headers.get('retry-after') === null, advice !== 'true', 'a time exactly where a repeat may succeed');
  // A quota that is used up stays so until something is deleted.
  if (status === 429) assert.equal(advice, text.includes('"quota_exceeded"') ? 'false' : 'true');
};

const sweepObjectError = (answer: Answer): void => {
  const { status, headers, text } = answer;
  const error = jsonOf(JSON.parse(text)).at('error');
  const code = error.at('code').text();
  assert.ok(isCode(code), `unknown code ${code}`);
  assert.equal(errorTable[code].status, status, `status of ${code}`);
  assert.ok(error.at('message').text().length > 0);
  const requestId = error.at('request_id').value;
  if (requestId !== undefined) assert.equal(requestId, headers.get('x-request-id'));
  sweepAdvice(answer, requestId !== undefined);
};

/** Paths whose ids are not made by the service: models have ids of the catalog, the description has none. */
const foreignIds = /^\/(?:models|openapi\.json|responses\/[^/]+\/input_items)/;

/** Whether the body is one JSON text. */
const isJson = ({ headers }: Pick<Answer, 'headers'>): boolean => /\bjson\b/.test(headers.get('content-type') ?? '');

/** What stands around the uuid in ids of the dialects. */
const idFrame = /^(?:chatcmpl-|cmpl-|modr-|msg_|resp_|msgbatch_|vsfb_|file-)|-(?:output|errors)$/g;

// auth:path:ids-are-uuids
/** Every id that an answer gives for use in a path is a uuid. */
const sweepIds = (answer: Answer): void => {
  if (foreignIds.test(answer.path) || !isJson(answer)) return;
  const body = jsonOf(JSON.parse(answer.text));
  for (const at of [['id'], ['request_id'], ['project_id'], ['service', 'request_id'], ['service', 'project_id']]) {
    const id = body.at(...at).value;
    if (typeof id === 'string') assert.match(id.replaceAll(idFrame, ''), uuidPattern);
  }
};

const stateSets: ReadonlyMap<unknown, ReadonlySet<unknown>> = new Map(
  Object.entries(statesByKind).map(([kind, states]) => [kind, new Set<unknown>(states)]),
);

/** States of a record in the form of a dialect, by the member that no record of the contract has. */
const dialectStates: readonly (readonly [member: string, states: ReadonlySet<unknown>])[] = [
  [
    'endpoint',
    new Set(['validating', 'in_progress', 'finalizing', 'completed', 'failed', 'cancelling', 'cancelled', 'expired']),
  ],
  ['progress', new Set(['queued', 'in_progress', 'completed', 'failed'])],
];

const statesOf = (record: Json): ReadonlySet<unknown> | undefined =>
  dialectStates.find(([member]) => record.at(member).value !== undefined)?.[1] ??
  stateSets.get(record.at('object').value);

// resources:states:by-kind
/** No record of a file or resource ever shows a state that is not one of its kind. */
const sweepStates = (record: Json): void => {
  const kind = record.at('object').value;
  const states = statesOf(record);
  const status = record.at('status').value;
  if (states !== undefined && status !== undefined) assert.ok(states.has(status), JSON.stringify([kind, status]));
};

const sweepRecords = (answer: Answer): void => {
  if (!isJson(answer)) return;
  const body = jsonOf(JSON.parse(answer.text));
  const data = body.at('data');
  for (const record of [body, body.at('response'), ...(Array.isArray(data.value) ? data.list() : [])])
    sweepStates(record);
};

/** The form of another dialect, which only a compatibility option brings. */
const sweepGoogleError = (answer: Answer): void => {
  const { status, headers, text } = answer;
  const error = jsonOf(JSON.parse(text)).at('error');
  assert.equal(error.at('code').value, status);
  assert.match(error.at('status').text(), /^[A-Z_]+$/);
  assert.ok(error.at('message').text().length > 0);
  const reason = error.at('details', 0, 'reason').text();
  assert.ok(isCode(reason) && errorTable[reason].status === status, `reason ${reason}`);
  const requestId = error.at('details', 0, 'request_id').value;
  if (requestId !== undefined) assert.equal(requestId, headers.get('x-request-id'));
};

const isGoogleError = ({ text }: Answer): boolean =>
  typeof jsonOf(JSON.parse(text)).at('error', 'code').value === 'number';

/** The statuses of the Messages wire that the contract does not have, by that of the contract. */
const messagesStatuses: ReadonlyMap<number, number> = new Map([
  [400, 422],
  [500, 502],
  [529, 503],
]);

/** The form of the Messages wire, told by its own `type`. */
const isMessagesError = ({ text }: Answer): boolean => jsonOf(JSON.parse(text)).at('type').value === 'error';

const sweepMessagesError = ({ status, headers, text }: Answer): void => {
  const body = jsonOf(JSON.parse(text));
  assert.deepEqual(body.keys(), ['type', 'error', 'request_id']);
  const id = headers.get('x-request-id') ?? '';
  assert.equal(body.at('request_id').value, `req_${id}`);
  assert.equal(headers.get('request-id'), `req_${id}`);
  const error = body.at('error');
  assert.match(error.at('type').text(), /^[a-z_]+$/);
  assert.ok(error.at('message').text().length > 0);
  const code = error.at('code').text();
  assert.ok(isCode(code), `unknown code ${code}`);
  const known = errorTable[code].status;
  assert.ok(known === status || known === messagesStatuses.get(status), `status of ${code}`);
};

/** Headers that the clients of one wire know by these names. */
const wireHeaders = /^anthropic-ratelimit-/gm;

/** Rules that every answer of every case keeps. `keys` are all that the case was given. */
export const sweepAnswer = (answer: Answer, keys: readonly string[], google: boolean): void => {
  const { status, headers, text, path } = answer;
  const wire = `${[...headers].map(([name, value]) => `${name}: ${value}`).join('\n')}\n${text}`;
  // A message may cut what it repeats.
  for (const key of keys) assert.ok(!wire.includes(key.slice(0, 30)), 'an answer holds the key');
  const words = wire.replaceAll(sealedText, '').replaceAll(namedField, '').replaceAll(wireHeaders, '');
  assert.ok(!vendorWords.test(words), `a response names a vendor: ${vendorWords.exec(words)?.[0] ?? ''}`);
  const isSuccess = status === 200 || status === 201;
  // Of all routes, the description alone has clients that keep it.
  const isUnchanged = status === 304 && path === '/openapi.json';
  const isOther = !isSuccess && !isUnchanged && isMessagesError(answer);
  assert.ok(isSuccess || isUnchanged || isOther || errorStatuses.has(status), `status ${status}`);
  assert.equal(headers.get('location'), null);
  assert.match(headers.get('x-request-id') ?? '', uuidPattern);
  assert.equal(headers.get('cache-control'), 'no-store');
  if (isSuccess) {
    sweepIds(answer);
    sweepRecords(answer);
    return;
  }
  if (isUnchanged) {
    assert.equal(text, '');
    return;
  }
  assert.match(headers.get('content-type') ?? '', /^application\/json/);
  if (isOther) {
    sweepMessagesError(answer);
    return;
  }
  assert.deepEqual(jsonOf(JSON.parse(text)).keys(), ['error']);
  if (google && isGoogleError(answer)) {
    sweepGoogleError(answer);
    return;
  }
  const textForm = textPaths.test(path) && status !== 405;
  if (textForm) assert.ok(jsonOf(JSON.parse(text)).at('error').text().length > 0);
  else sweepObjectError(answer);
};
