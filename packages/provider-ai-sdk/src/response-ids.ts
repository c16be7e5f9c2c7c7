import { answerIdOf, asObject, readUpstreamIds, type UpstreamIds } from '@tollgate/provider';

/** What an upstream calls a request, by the `response` that a model of the AI SDK hands on with its answer. */
export const responseIdsOf = (answer: unknown): UpstreamIds => {
  const response = asObject(asObject(answer)?.['response']);
  return readUpstreamIds(asObject(response?.['headers']) ?? {}, response?.['id'] ?? answerIdOf(response?.['body']));
};

/** The same by what a model threw instead of an answer. */
export const errorIdsOf = (error: unknown): UpstreamIds =>
  readUpstreamIds(asObject(asObject(error)?.['responseHeaders']) ?? {});
