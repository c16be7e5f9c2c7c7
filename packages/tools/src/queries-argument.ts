import type { JsonObject } from '@tollgate/provider';

const queryCharsMax = 400;

/** The parameters of a function that takes questions. */
export const queriesParameters = (queriesMax: number, description: string): JsonObject => ({
  type: 'object',
  properties: {
    queries: { type: 'array', items: { type: 'string', description }, minItems: 1, maxItems: queriesMax },
  },
  required: ['queries'],
  additionalProperties: false,
});

/** The questions of a call, each once; undefined where they are none, too many or too long. */
export const readQueries = (value: unknown, queriesMax: number): readonly string[] | undefined => {
  if (!Array.isArray(value)) return undefined;
  const asked = Array.from(new Set<unknown>(value));
  const queries = asked.filter((query) => typeof query === 'string').map((query) => query.trim());
  const areSound =
    queries.length === asked.length && queries.every((query) => query !== '' && query.length <= queryCharsMax);
  return areSound && queries.length > 0 && queries.length <= queriesMax ? queries : undefined;
};
