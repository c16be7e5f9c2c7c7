import { asObject } from './untrusted-value.ts';

/** A longer id of an upstream is not kept: one that is cut short finds nothing. */
export const upstreamIdCharactersMax = 200;

const visible = /^[\x21-\x7e]+$/;

/** An id as an upstream sent it, if it is one that may be stored and printed: visible ASCII without spaces; else undefined. */
export const asUpstreamId = (value: unknown): string | undefined =>
  typeof value === 'string' && value.length <= upstreamIdCharactersMax && visible.test(value) ? value : undefined;

/** Headers by which upstreams name a request, in lower case; the first one that a response has counts. */
export const upstreamIdHeaders = [
  'x-request-id',
  'request-id',
  'openai-request-id',
  'apim-request-id',
  'x-ms-request-id',
  'x-amzn-requestid',
  'x-goog-request-id',
  'x-generation-id',
] as const;

/** Members of an answer's body that name it. */
const answerIdMembers = ['id', 'responseId'] as const;

/** What an upstream calls a request and its answer. */
export interface UpstreamIds {
  /** The id of the request; where the upstream gives it none, the id of the answer. */
  readonly upstreamId?: string;
  /** The id of the answer, where the request has one of its own. */
  readonly answerId?: string;
}

/** The id of an answer in its parsed body, such as a chat completion's `id` or a `responseId`. */
export const answerIdOf = (body: unknown): string | undefined => {
  const members = asObject(body);
  for (const member of answerIdMembers) {
    const id = asUpstreamId(members?.[member]);
    if (id !== undefined) return id;
  }
  return undefined;
};

/** The ids of one upstream request, for its attempt. Header names in lower case; `answerId` is what the body says, where it was read. */
export const readUpstreamIds = (headers: Readonly<Record<string, unknown>>, answerId?: unknown): UpstreamIds => {
  const ofAnswer = asUpstreamId(answerId);
  for (const name of upstreamIdHeaders) {
    const value = headers[name];
    const id = asUpstreamId(Array.isArray(value) ? value[0] : value);
    if (id !== undefined) return { upstreamId: id, ...(ofAnswer === undefined ? {} : { answerId: ofAnswer }) };
  }
  return ofAnswer === undefined ? {} : { upstreamId: ofAnswer };
};
