import { GatewayError, readAt } from '@tollgate/contract';
import { z } from 'zod';

/** A question is short. */
const queryCharsMax = 2_000;
const resultsMax = 50;
const resultsDefault = 10;

const query = z.string().min(1).max(queryCharsMax);

const SearchBody = z.strictObject({
  query: z.union([query, z.array(query).length(1)]),
  max_num_results: z.int().min(1).max(resultsMax).nullish(),
  rewrite_query: z.literal(false).nullish(),
  ranking_options: z
    .strictObject({
      ranker: z.enum(['auto', 'none']).nullish(),
      score_threshold: z.number().min(0).max(1).nullish(),
    })
    .nullish(),
});

export interface VectorStoreSearch {
  readonly query: string;
  readonly resultsMax: number;
  readonly scoreMin: number;
}

/** The body of `POST /vector_stores/{id}/search`. */
export const parseSearch = (body: unknown): VectorStoreSearch => {
  const asked = readAt(SearchBody, body);
  const [text = ''] = [asked.query].flat();
  if (text.trim() === '')
    throw new GatewayError('invalid_request', { detail: 'The field query is blank; accepted is a text.' });
  return {
    query: text.toWellFormed(),
    resultsMax: asked.max_num_results ?? resultsDefault,
    scoreMin: asked.ranking_options?.score_threshold ?? 0,
  };
};
